import { styleText } from 'node:util';

let steps = 0;

const styled = (style: 'bold' | 'dim' | 'green', text: string): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;

/** Announces a step of the story. */
export function step(title: string): void {
  steps += 1;
  process.stdout.write(`\n${styled('bold', `${steps}. ${title}`)}\n`);
}

/** Shows a command as a person would type it. */
export function command(line: string): void {
  process.stdout.write(`   ${styled('dim', `$ ${line}`)}\n`);
}

/** Prints the outcome of a step. */
export function outcome(text: string): void {
  for (const line of text.split('\n')) process.stdout.write(`   ${styled('green', '✓')} ${line}\n`);
}

export const stepsBegun = (): number => steps;

/** A step did not come out as expected. */
export class Unexpected extends Error {}

/** Prints the outcome. @throws Unexpected if it does not hold */
export function expect(holds: boolean, expected: string, found: unknown): void {
  if (!holds) throw new Unexpected(`expected: ${expected}\nfound: ${JSON.stringify(found, null, 2)}`);
  outcome(expected);
}
