import { Failure } from './failure';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that must restore something if the user stops it: instead of ending the process, the first signal aborts
 * the work, whose clean-up then runs. @throws Failure INTERRUPTED from the aborted signal
 */
export async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => controller.abort(stoppedBy(signal));
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Waits until the user stops the process, then returns; the process does not end. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
}

/**
 * Ends the process at the first signal while no interruptible work runs. Files are written atomically, so none is left
 * incomplete. Reports the failure first.
 */
export function endWhenStopped(report: (failure: Failure) => void): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      report(stoppedBy(signal));
      // eslint-disable-next-line no-restricted-properties -- a pending wait of the command would keep it from ending
      process.exit();
    });
  }
}

function stoppedBy(signal: NodeJS.Signals): Failure {
  return new Failure('INTERRUPTED', `Stopped by ${signal}.`, { next: 'repeat the command' });
}
