import type { Environment } from '../environment';
import { printableText } from './printable';
import { type Style, style } from './style';
import { alignedTable, type Table, tabSeparated } from './table';

/** Columns of a terminal that does not report its width. */
const WIDTH = 80;

/** The two streams of a command. Results go to stdout, all other output to stderr. */
export interface Terminal {
  /** Whether a person reads stdout. */
  interactive: boolean;
  style: Style;
  /** Writes a result. A table is aligned for a person and tab-separated in a pipe; if it is empty, stderr says so. */
  result(view: string | Table): void;
  /** Writes one JSON value, the only output on stdout. */
  json(value: unknown): void;
  /** Writes a line for a person to stderr. */
  note(line: string): void;
  /** Clears the screen if a person reads stdout, so that the next output replaces the previous one. */
  clear(): void;
}

/** Moves the cursor to the top left and clears the screen below it. */
const CLEAR_SCREEN = '\u001b[H\u001b[J';

/** @param environment decides on colour: NO_COLOR, FORCE_COLOR, otherwise whether stdout is a terminal */
export function openTerminal(environment: Environment): Terminal {
  const interactive = !environment.idleProbe && (environment.forceTty || process.stdout.isTTY === true);
  const coloured = environment.colour ?? interactive;
  const looks = style(coloured);
  const width = process.stdout.columns || WIDTH;
  return {
    interactive,
    style: looks,
    result(view) {
      if (typeof view === 'string') {
        process.stdout.write(printableText(`${view}\n`));
      } else if (interactive) {
        process.stdout.write(alignedTable(view, { style: looks, width, now: new Date() }));
      } else {
        process.stdout.write(tabSeparated(view));
        // Without output on stdout, a person could not distinguish an empty result from a failed command.
        if (view.rows.length === 0 && view.whenEmpty !== '') process.stderr.write(`${view.whenEmpty}\n`);
      }
    },
    json(value) {
      process.stdout.write(`${JSON.stringify(value, null, interactive ? 2 : undefined)}\n`);
    },
    note(line) {
      process.stderr.write(`${line}\n`);
    },
    clear() {
      if (interactive) process.stdout.write(CLEAR_SCREEN);
    },
  };
}
