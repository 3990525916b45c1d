import type { Environment } from '../environment';
import { printableText } from './printable';
import { type Style, style } from './style';
import { alignedTable, type Table, tabSeparated } from './table';

/** Of a terminal that does not say how wide it is. */
const WIDTH = 80;

/** The two streams a command writes to. Results go to stdout, everything else to stderr. */
export interface Terminal {
  /** Whether a person reads stdout. */
  interactive: boolean;
  style: Style;
  /** Writes a result; a table is aligned for a person and tab-separated in a pipe, where an empty one is said on stderr. */
  result(view: string | Table): void;
  /** Writes one JSON value, the only thing on stdout. */
  json(value: unknown): void;
  /** Writes a line for a person to stderr. */
  note(line: string): void;
  /** Empties the screen where a person reads stdout, so that what follows stands in the place of what was there. */
  clear(): void;
}

/** To the top left, and nothing below. */
const CLEAR_SCREEN = '\u001b[H\u001b[J';

/** @param environment decides on colour: NO_COLOR, FORCE_COLOR, else whether stdout is a terminal. */
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
        // Nothing on stdout may be an answer, or a command that did not work.
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
