/**
 * Whether one JSON value is asked for: `--json` or `--output json`, before any `--`.
 * Read from the raw arguments, so that a command line that does not parse fails in JSON as well. Decision G2.
 */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.some(
    (flag, at) =>
      flag === '--json' || flag === '--output=json' || (flag === '--output' && flags[at + 1] === 'json'),
  );
}
