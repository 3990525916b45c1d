import { randomBytes } from 'node:crypto';

/** The formatting of text: colour if the terminal and the user allow it. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/**
 * Stands for the escape character until the text is printed, so that every other one can be removed then. Differs in each
 * process, so that no text from outside has it.
 */
const ESCAPE = `\ufdd0${randomBytes(8).toString('hex')}`;

export function style(coloured: boolean): Style {
  const paint = (name: keyof typeof CODES) => (text: string) =>
    coloured ? `${ESCAPE}[${CODES[name][0]}m${text}${ESCAPE}[${CODES[name][1]}m` : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  };
}

/** The text with the escape sequences of the styles in it. */
export function withStyles(text: string): string {
  return text.replaceAll(ESCAPE, '\u001b');
}
