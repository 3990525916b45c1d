import type { Line, Waiter } from './line';
import { CallerGone, refusedSlot } from './refused-slot';

export interface Wait<Slot> {
  key: string;
  /** Longest wait, in milliseconds; default: no limit. */
  waitMs: number | undefined;
  /** Aborted when the caller no longer wants a slot. */
  gone: AbortSignal | undefined;
  /** Called when the caller's turn has come. */
  grant(): Slot;
}

/**
 * Waits in the line for a slot.
 *
 * @throws SERVICE_UNAVAILABLE when the wait is over without one, or the caller has gone away (CallerGone)
 */
export function waitInLine<Slot>(line: Line, { key, waitMs, gone, grant }: Wait<Slot>): Promise<Slot> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', leave);
    };
    const refuse = (cause: Error) => {
      stop();
      line.leave(waiter);
      reject(refusedSlot(cause));
    };
    const leave = () => refuse(new CallerGone());
    const giveUp = () => refuse(new Error(`no slot in ${waitMs} ms`));
    const enter = () => {
      stop();
      resolve(grant());
    };
    const waiter: Waiter = { key, isReturning: false, enter };
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
    gone?.addEventListener('abort', leave, { once: true });
    line.join(waiter);
  });
}
