/** A value as one word of a POSIX shell, so that a command with a name from outside can be pasted without harm. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
