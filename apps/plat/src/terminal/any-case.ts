/** The parts of a flag that determine its spelling. */
interface Choice {
  options?: readonly string[];
}

/**
 * The arguments with the values of choice flags, such as `--status ready`, in the flag's own spelling. An unknown value
 * stays as it is, and the parser refuses it.
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

/** `--flag=value` as its two parts; without a value if there is no `=`. */
function splitFlag(word: string): [string, string?] {
  const [, name = '', value] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
  return value === undefined ? [name] : [name, value];
}

function known(word: string, { options = [] }: Choice = {}): string {
  return options.find((option) => option.toLowerCase() === word.toLowerCase()) ?? word;
}
