import { milliseconds } from '../terminal/duration';
import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';

/** Longest time of a gate for which no other is given. */
const DEFAULT = '2h';
const HOURS_MAX = 168;

/** The longest time of a gate. */
export interface GateTime {
  /** As it was given, for messages: `90m`. */
  text: string;
  milliseconds: number;
}

export const gateTimeoutFlag = Flags.string({
  description: `Longest time of the gate, after which it is ended and has failed (default: ${DEFAULT})`,
  helpValue: '<duration>',
});

/** @throws Failure INVALID_DURATION, also for 0 and for more than a week */
export function readGateTime(text: string = DEFAULT): GateTime {
  const time = milliseconds(text, '--gate-timeout');
  if (time > 0 && time <= HOURS_MAX * 3_600_000) return { text, milliseconds: time };
  throw new Failure('INVALID_DURATION', `--gate-timeout ${text} is no time in which a gate can end.`, {
    next: `give one of more than 0 and at most ${HOURS_MAX}h, such as 90m`,
  });
}

/**
 * Runs a gate, which is ended with its processes once its time is over.
 *
 * @param gate gets the signal that ends it
 * @throws Failure GATE_TIMED_OUT; the reason with which `interrupted` was aborted; the failures of the gate
 */
export async function runWithin<T>(
  time: GateTime,
  interrupted: AbortSignal,
  gate: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(timedOut(time)), time.milliseconds);
  try {
    return await gate(AbortSignal.any([interrupted, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function timedOut({ text }: GateTime): Failure {
  return new Failure('GATE_TIMED_OUT', `The gate did not end within ${text}, so it was ended.`, {
    details: { gateTimeout: text },
    next: 'correct what does not end, or give it more time with --gate-timeout <duration>',
  });
}

/** Whether the gate was ended because its time was over. */
export function isTimedOut(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'GATE_TIMED_OUT';
}
