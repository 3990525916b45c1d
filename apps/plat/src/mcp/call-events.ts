import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import type { ToolExtra } from './mcp-library.js';

/** Interval of repeated progress, for agents that give up a silent call. */
const REPEAT_MILLISECONDS = 10_000;

/** One call of a tool by an agent. */
export interface ToolCall {
  /** Aborts with a Failure INTERRUPTED if the agent cancels the call or disconnects. */
  cancelled: AbortSignal;
  /** Sends a line to an agent that asked for progress. */
  send(line: string): void;
}

/** The call in the form of the protocol's library. */
export function callOf({ signal, _meta, sendNotification }: ToolExtra): ToolCall {
  const controller = new AbortController();
  const cancel = () => controller.abort(new Failure('INTERRUPTED', 'The call was cancelled.'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return {
    cancelled: controller.signal,
    send(message) {
      if (progressToken === undefined || signal.aborted) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // An agent that has disconnected needs no progress.
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** Sends each step when it begins, and repeats it while it lasts. */
export function sentProgress(send: ToolCall['send']): Progress {
  return async (step, work) => {
    send(step);
    const timer = setInterval(() => send(`${step} …`), REPEAT_MILLISECONDS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  };
}
