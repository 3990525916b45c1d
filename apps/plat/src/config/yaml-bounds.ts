import type { Lexer, Parser } from 'yaml';

/** Deepest nesting, in tokens of the parser: about two for each level. A file of the configuration has five levels. */
const DEPTH_MAX = 100;
/** Most lexemes: about four for each field. */
const LEXEMES_MAX = 40_000;

/**
 * Finds out whether a text would hold up or end the process that parses it. The library recurses into each level, writes
 * nested keys as text, and compares each key of a mapping with all others: a text of a kilobyte takes minutes or all
 * memory. No signal is handled meanwhile.
 *
 * @returns why the text is not to be parsed; undefined if it may be
 */
export function findBoundFault(
  library: { Lexer: typeof Lexer; Parser: typeof Parser },
  text: string,
): string | undefined {
  const parser = new library.Parser();
  let lexemes = 0;
  for (const lexeme of new library.Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > LEXEMES_MAX) return `it has more than ${LEXEMES_MAX} words and marks`;
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > DEPTH_MAX) return 'it is nested too deeply';
  }
  return undefined;
}
