import { Failure } from './failure';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that must put something back in order when the user stops it: instead of ending the process, the
 * first signal aborts the work, whose clean-up then runs. @throws Failure INTERRUPTED from the aborted signal
 */
export async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) =>
    controller.abort(new Failure('INTERRUPTED', `Stopped by ${signal}.`, { next: 'repeat the command' }));
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Waits until the user stops the process, which then goes on with what is after. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
}
