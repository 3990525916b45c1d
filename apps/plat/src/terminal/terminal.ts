import type { Environment } from '../environment';
import { printableJson, printableOutput, printableText } from './printable';
import { passOutput } from './program-output';
import { type Style, style, withStyles } from './style';
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
  /** Writes a line for a person to stderr. Further lines in it are indented. */
  note(line: string): void;
  /** Passes the output of a program that runs a branch's code on to stderr, as it arrives. */
  output(chunk: Buffer): void;
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
        print(process.stdout, printableText(`${view}\n`));
      } else if (interactive) {
        print(process.stdout, alignedTable(view, { style: looks, width, now: new Date() }));
      } else {
        print(process.stdout, tabSeparated(view));
        // Without output on stdout, a person could not distinguish an empty result from a failed command.
        if (view.rows.length === 0 && view.whenEmpty !== '') print(process.stderr, `${view.whenEmpty}\n`);
      }
    },
    json(value) {
      print(process.stdout, `${printableJson(value, interactive ? 2 : undefined)}\n`);
    },
    note(line) {
      print(process.stderr, `${indentFurtherLines(line)}\n`);
    },
    output: passOutput(process.stderr, environment.forceTty),
    clear() {
      if (interactive) process.stdout.write(CLEAR_SCREEN);
    },
  };
}

/** The text with its further lines indented: a word from outside could have one like a next step of this client. */
const indentFurtherLines = (text: string): string => text.replaceAll(/\n(?! {2})/g, '\n  ');

/**
 * The one place where a command prints. It masks the tokens that were sent and removes the characters that a terminal
 * obeys, whatever the callers have done, and only then adds the escape sequences of colours.
 */
function print(stream: NodeJS.WritableStream, text: string): void {
  stream.write(withStyles(printableOutput(text)));
}
