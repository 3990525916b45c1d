import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import type { ToolExtra } from './mcp-library.js';

/** Said again after this long, for agents that give up a call that they hear nothing of. */
const REPEAT_MILLISECONDS = 10_000;

/** One call of a tool, as the agent that made it follows it. */
export interface ToolCall {
  /** Aborts with a Failure INTERRUPTED when the agent cancels the call, or is gone. */
  cancelled: AbortSignal;
  /** Tells a line to an agent that asked for progress. */
  tell(line: string): void;
}

/** The call that the protocol's library describes. */
export function callOf({ signal, _meta, sendNotification }: ToolExtra): ToolCall {
  const controller = new AbortController();
  const cancel = () => controller.abort(new Failure('INTERRUPTED', 'The call was cancelled.'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return {
    cancelled: controller.signal,
    tell(message) {
      if (progressToken === undefined || signal.aborted) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // An agent that is gone needs no news.
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** Tells each step when it begins, and again and again as long as it lasts. */
export function toldProgress(tell: ToolCall['tell']): Progress {
  return async (step, work) => {
    tell(step);
    const timer = setInterval(() => tell(`${step} …`), REPEAT_MILLISECONDS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  };
}
