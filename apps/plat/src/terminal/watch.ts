import { Flags } from '@oclif/core';
import { setTimeout as delay } from 'node:timers/promises';
import { untilStopped } from './interruption';

const POLL_MILLISECONDS = 2000;

/** For views that change by themselves. A person's flag: `--json` prints one value, and agents ask again. */
export const watchFlag = Flags.boolean({
  description: 'Show it again whenever it has changed, until Ctrl-C',
  exclusive: ['json', 'output'],
  helpGroup: 'TERMINAL',
});

/** Shows what is read, and again whenever it has changed, until the user stops it. */
export async function watch<T>(read: () => Promise<T>, show: (value: T) => void): Promise<void> {
  const stopped = new AbortController();
  void untilStopped().then(() => stopped.abort());
  let shown: string | undefined;
  while (!stopped.signal.aborted) {
    const value = await read();
    const text = JSON.stringify(value);
    if (text !== shown) show(value);
    shown = text;
    await delay(POLL_MILLISECONDS, undefined, { signal: stopped.signal }).catch(() => undefined);
  }
}
