import { NEEDED_JOINER } from '@plat/contracts/core/needed-joiner';

/**
 * Characters that cannot be seen, or change the order around them: control characters (ANSI's escape too), bidi marks,
 * zero-width characters, tags, private ones and halves of pairs.
 */
const INVISIBLE = new RegExp(
  `(?!${NEEDED_JOINER.source})[\\p{Cc}\\p{Cf}\\p{DI}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}]`,
  'gu',
);

/** A name or a line from outside, in which everything can be seen: U+202E becomes ⟨U+202E⟩. */
export function printable(text: string): string {
  return text.replace(INVISIBLE, code);
}

/** A text of several lines; its line ends and tabs stay. */
export function printableLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (found) => (found === '\n' || found === '\t' ? found : code(found)));
}

const code = (character: string): string =>
  `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
