const SAFE_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The command as a person could paste it into a POSIX shell. */
export function shellQuote(argv: readonly string[]): string {
  return argv.map((word) => (SAFE_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
