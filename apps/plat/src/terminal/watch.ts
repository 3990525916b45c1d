import { setTimeout as delay } from 'node:timers/promises';
import { untilStopped } from './interruption';
import { Flags } from './oclif';
import { printableLine } from './printable';
import type { Terminal } from './terminal';

const POLL_MILLISECONDS = 2000;

/** For views that change by themselves. For a person: `--json` prints one value, and agents repeat the call. */
export const watchFlag = Flags.boolean({
  description: 'Show it again after each change, until Ctrl-C',
  exclusive: ['json', 'output'],
  helpGroup: 'TERMINAL',
});

export interface Watched<T> {
  read(): Promise<T>;
  /** Shows the read value in place of the previous one. */
  show(value: T): void;
  /** The part of the value whose change counts; default: all of it. */
  compared?(value: T): unknown;
  /** Whether an error of `read` may be temporary, so that it is read again. */
  isHiccup(error: unknown): boolean;
  terminal: Terminal;
}

/** Shows a value, and again after each change, until the user stops it or its reader ends. */
export async function watch<T>({ read, show, compared, isHiccup, terminal }: Watched<T>): Promise<void> {
  const stopped = new AbortController();
  void untilStopped().then(() => stopped.abort());
  process.stdout.once('error', () => stopped.abort());
  let shown: string | undefined;
  let missed = false;
  while (!stopped.signal.aborted) {
    try {
      const value = await read();
      const text = JSON.stringify(compared === undefined ? value : compared(value));
      if (text !== shown || missed) {
        terminal.clear();
        show(value);
      }
      [shown, missed] = [text, false];
    } catch (error) {
      // A failure of the first read is not temporary.
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
