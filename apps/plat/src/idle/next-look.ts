import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MILLISECONDS = 10_000;
/** A new terminal has no process for a moment, and then cannot be distinguished from one of the desktop's prober. */
const SETTLE_MILLISECONDS = 500;

export interface LookTimes {
  /** Default: every 10 s. */
  everyMilliseconds?: number;
  interrupted: AbortSignal;
}

/**
 * Returns what waits until the next look at the pod: some seconds, or until a terminal was opened or closed, because one
 * that is closed before the next look would leave no trace of its use. It rejects when `interrupted` is aborted.
 *
 * @param terminals folder with an entry for each terminal; without it only time counts
 */
export function lookTimes(
  terminals: string,
  { everyMilliseconds = LOOK_MILLISECONDS, interrupted }: LookTimes,
): () => Promise<void> {
  // A change during a look counts for the pause after it.
  let hasChanged = false;
  let pause: AbortController | undefined;
  watchEntries(terminals, interrupted, () => {
    hasChanged = true;
    pause?.abort();
  });
  return async () => {
    if (!hasChanged) {
      pause = new AbortController();
      const signal = AbortSignal.any([interrupted, pause.signal]);
      await delay(everyMilliseconds, undefined, { signal }).catch(() => interrupted.throwIfAborted());
    }
    if (!hasChanged) return;
    await delay(SETTLE_MILLISECONDS, undefined, { signal: interrupted });
    hasChanged = false;
  };
}

/** Calls back when an entry of the folder comes or goes. Output on a terminal changes its entry, and does not count. */
function watchEntries(folder: string, signal: AbortSignal, changed: () => void): void {
  try {
    const watcher = watch(folder, { signal }, (type) => {
      if (type === 'rename') changed();
    });
    watcher.on('error', () => undefined);
  } catch {
    // Without a folder of terminals only time counts.
  }
}
