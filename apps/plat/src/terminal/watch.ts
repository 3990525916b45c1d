import { setTimeout as delay } from 'node:timers/promises';
import { untilStopped } from './interruption';
import { Flags } from './oclif';
import { printableLine } from './printable';
import type { Terminal } from './terminal';

const POLL_MILLISECONDS = 2000;

/** For views that change by themselves. A person's flag: `--json` prints one value, and agents ask again. */
export const watchFlag = Flags.boolean({
  description: 'Show it again whenever it has changed, until Ctrl-C',
  exclusive: ['json', 'output'],
  helpGroup: 'TERMINAL',
});

export interface Watched<T> {
  read(): Promise<T>;
  /** Shows what was read, in the place of what was shown before. */
  show(value: T): void;
  /** Whether what `read` threw may pass: it is then read again. */
  isHiccup(error: unknown): boolean;
  terminal: Terminal;
}

/** Shows what is read, and again whenever it has changed, until the user stops it or nobody reads it any more. */
export async function watch<T>({ read, show, isHiccup, terminal }: Watched<T>): Promise<void> {
  const stopped = new AbortController();
  void untilStopped().then(() => stopped.abort());
  process.stdout.once('error', () => stopped.abort());
  let shown: string | undefined;
  let missed = false;
  while (!stopped.signal.aborted) {
    try {
      const value = await read();
      const text = JSON.stringify(value);
      if (text !== shown || missed) {
        terminal.clear();
        show(value);
      }
      [shown, missed] = [text, false];
    } catch (error) {
      // What cannot be read at all is no hiccup.
      if (shown === undefined || !isHiccup(error)) throw error;
      if (!missed) terminal.note(`${messageOf(error)} Trying again …`);
      missed = true;
    }
    await delay(POLL_MILLISECONDS, undefined, { signal: stopped.signal }).catch(() => undefined);
  }
}

function messageOf(error: unknown): string {
  return printableLine(error instanceof Error ? error.message : String(error));
}
