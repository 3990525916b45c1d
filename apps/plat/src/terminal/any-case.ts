/** What of a flag its spelling depends on. */
interface Choice {
  options?: readonly string[];
}

/**
 * The arguments with the words of flags that take one of some words, such as `--status ready`, in the spelling that
 * the flag knows. A word that it does not know stays, and is refused by the parser.
 */
export function inKnownCase(argv: readonly string[], flags: Readonly<Record<string, Choice>>): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    if (end >= 0 && at > end) return word;
    const [name, value] = splitFlag(word);
    if (value !== undefined) return `--${name}=${known(value, flags[name])}`;
    const before = argv[at - 1];
    const [flag, given] = before === undefined ? [''] : splitFlag(before);
    return given === undefined && before?.startsWith('--') ? known(word, flags[flag]) : word;
  });
}

/** `--flag=value` as its two parts; no value where there is no `=`. */
function splitFlag(word: string): [string, string?] {
  const [, name = '', value] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
  return value === undefined ? [name] : [name, value];
}

function known(word: string, { options = [] }: Choice = {}): string {
  return options.find((option) => option.toLowerCase() === word.toLowerCase()) ?? word;
}
