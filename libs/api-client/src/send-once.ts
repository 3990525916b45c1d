import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiFault, ApiUnreachable } from './api-fault';

/** Reasons for which nothing was sent. */
const NOT_SENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** Statuses of a proxy that has no answer of the service, and of a service that has none of its database. */
const WITHOUT_ANSWER: readonly number[] = [502, 503, 504];
/** Least seconds until a request that is still running is asked for again, whatever the answer names. */
const AGAIN_SECONDS = 1;

interface Patience {
  /** How long a first request that is still running is waited for. */
  seconds: number;
  signal?: AbortSignal | undefined;
  /** Default: that of the machine. */
  clock?: Clock;
}

/** The time by which a call is repeated. */
export interface Clock {
  /** In milliseconds. */
  now(): number;
  /** @throws the reason of the aborted signal */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

const MACHINE_CLOCK: Clock = {
  now: () => performance.now(),
  async pause(milliseconds, signal) {
    await delay(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted());
  },
};

/**
 * Sends a creating request under a key of its own. If its answer is lost, it is sent once more with the same key, and is
 * answered as the first one was: nothing is created twice.
 *
 * @throws what the last `send` threw
 */
export async function sendOnce<Result>(
  send: (key: string) => Promise<Result>,
  { seconds, signal, clock = MACHINE_CLOCK }: Patience,
): Promise<Result> {
  const key = randomUUID();
  try {
    return await send(key);
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  const until = clock.now() + seconds * 1000;
  for (;;) {
    try {
      return await send(key);
    } catch (error) {
      const wait = secondsToWait(error);
      if (wait === undefined || clock.now() + wait * 1000 > until) throw error;
      await clock.pause(wait * 1000, signal);
    }
  }
}

/** Whether the request may have acted although no answer of the service came. */
function isLost(error: unknown): boolean {
  if (error instanceof ApiUnreachable) return !NOT_SENT.includes(error.reason);
  return error instanceof ApiFault && WITHOUT_ANSWER.includes(error.status);
}

/** Undefined unless the first request is still running. */
function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof ApiFault) || error.code !== 'IDEMPOTENCY_KEY_IN_USE') return undefined;
  return Math.max(error.retryAfterSeconds ?? 0, AGAIN_SECONDS);
}
