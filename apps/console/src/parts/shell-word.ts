import { printable } from './printable';

/** zsh takes a word that begins with an equals sign for the path of a program. */
const SAFE_WORD = /^(?!=)[\w@%+=:,./-]+$/;

/**
 * A value as one word of a POSIX shell, so that a command with a name from outside can be pasted without harm. An address
 * may bring any character: a terminal takes a pasted control character, such as that of Ctrl-C, for a key.
 */
export function shellWord(value: string): string {
  const seen = printable(value);
  return SAFE_WORD.test(seen) ? seen : `'${seen.replaceAll("'", `'\\''`)}'`;
}
