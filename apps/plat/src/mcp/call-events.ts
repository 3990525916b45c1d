import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import type { ToolExtra } from './mcp-library.js';

/** Longest silence of a call. Agents give a call up after a minute without progress, some after 30 s or 10 s. */
const SILENCE_MILLISECONDS = 4000;

/** One call of a tool by an agent. */
export interface ToolCall {
  /** Aborts with a Failure INTERRUPTED if the agent cancels the call or disconnects. */
  cancelled: AbortSignal;
  /** Sends a line to an agent that asked for progress. */
  send(line: string): void;
  /** Sends each step when it begins. */
  progress: Progress;
}

/**
 * Runs a call. An agent that asked for progress gets a notification at least every few seconds until the call has ended,
 * so that one that restarts its time limit at each notification can wait for a gate.
 *
 * @param first the step before the first that the work names
 */
export async function followCall<T>(
  { signal, _meta, sendNotification }: ToolExtra,
  first: string,
  work: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  let sentAt = performance.now();
  const send = (message: string) => {
    if (progressToken === undefined || signal.aborted) return;
    progress += 1;
    sentAt = performance.now();
    const params = { progressToken, progress, message };
    // An agent that has disconnected needs no progress.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const steps = [{ step: first, since: performance.now() }];
  const repeat = () => {
    const { step, since } = steps.at(-1) ?? { step: first, since: sentAt };
    const now = performance.now();
    if (now - sentAt >= SILENCE_MILLISECONDS) send(`${step} … (${Math.round((now - since) / 1000)} s)`);
  };
  const timer = progressToken === undefined ? undefined : setInterval(repeat, SILENCE_MILLISECONDS / 4);
  try {
    return await work({ cancelled: cancellation(signal), send, progress: sentProgress(send, steps) });
  } finally {
    clearInterval(timer);
  }
}

/** The steps that have begun and not ended, the innermost last. */
type Steps = Array<{ step: string; since: number }>;

function sentProgress(send: ToolCall['send'], steps: Steps): Progress {
  return async (step, work) => {
    const begun = { step, since: performance.now() };
    steps.push(begun);
    send(step);
    try {
      return await work;
    } finally {
      steps.splice(steps.indexOf(begun), 1);
    }
  };
}

function cancellation(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const cancel = () => controller.abort(new Failure('INTERRUPTED', 'The call was cancelled.'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return controller.signal;
}
