/** zsh takes a word that begins with an equals sign for the path of a program. */
const SAFE_WORD = /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/;

/** The command in a form that a person can paste into a POSIX shell. */
export function shellQuote(argv: readonly string[]): string {
  return argv.map((word) => (SAFE_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
