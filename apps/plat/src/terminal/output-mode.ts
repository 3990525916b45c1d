/**
 * Whether one JSON value is requested: `--json` or `--output json`, before any `--`.
 * Read from the raw arguments, so that a command line that does not parse fails in JSON as well. Rule G2.
 */
export function wantsJson(argv: readonly string[]): boolean {
  const flags = beforeEnd(argv);
  return flags.some(
    (flag, at) =>
      flag === '--json' || flag === '--output=json' || (flag === '--output' && flags[at + 1] === 'json'),
  );
}

/** Whether calls are traced on stderr: `--debug`, before any `--`. */
export function wantsTrace(argv: readonly string[]): boolean {
  return beforeEnd(argv).includes('--debug');
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}
