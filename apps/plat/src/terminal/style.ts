/** The formatting of text: colour if the terminal and the user allow it. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export function style(coloured: boolean): Style {
  const paint = (name: keyof typeof CODES) => (text: string) =>
    coloured ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  };
}
