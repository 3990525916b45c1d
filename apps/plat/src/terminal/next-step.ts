import { shellQuote } from './shell-quote';

declare const quoted: unique symbol;

/** The next command or action, as a person would type it. Each word in it that comes from outside is quoted. */
export type NextStep = string & { [quoted]: true };

/** A text whose type is known in full: a literal, with nothing from outside in it. */
type Literal<T> = T extends string ? (Record<never, never> extends Record<T, true> ? never : T) : never;
type Part<T> = T extends NextStep | readonly string[] | undefined ? T : Literal<T>;

/**
 * Builds a next step. A name of a branch, a path and the like may be chosen by others and contain shell syntax, so a
 * text that is put together otherwise fails lint (`plat/next-step`).
 *
 * @param parts literals, which are our own text; arrays of words from outside, which are quoted; and other next steps.
 *   They are joined by spaces; there is none before a literal that begins with punctuation.
 */
export function nextStep<const P extends readonly unknown[]>(
  ...parts: P & { [K in keyof P]: Part<P[K]> }
): NextStep {
  let step = '';
  for (const part of parts as ReadonlyArray<string | readonly string[] | undefined>) {
    const text = typeof part === 'object' ? shellQuote(part) : (part ?? '');
    if (text === '') continue;
    const isApart =
      step !== '' && !step.endsWith('(') && !(typeof part === 'string' && /^[;,.:)]/.test(text));
    step += isApart ? ` ${text}` : text;
  }
  return step as NextStep;
}

/** The words one after the other, with commas between them: names to choose from. */
export function listOf(words: readonly string[]): NextStep {
  return words.map((word) => shellQuote([word])).join(', ') as NextStep;
}
