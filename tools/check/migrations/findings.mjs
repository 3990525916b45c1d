/** @typedef {{file: string, line: number, rule_name: string, message: string}} Finding as squawk reports it */

const numberOf = (path) => path.split('/').at(-1).split('_')[0];
const IGNORED = /squawk-ignore(-file)?\b(.*)/;
const WITH_REASON = /^ [a-z-]+(, ?[a-z-]+)* -- \S.*/;

/**
 * The findings that are no exception, a line each, and the exceptions that excuse nothing.
 *
 * @param {Finding[]} findings
 * @param {import('./landed.mjs').LANDED} landed
 * @returns {string[]}
 */
export function faultsOf(findings, landed) {
  const excused = new Set();
  const faults = findings.flatMap(({ file, line, rule_name: rule, message }) => {
    const exception = landed.find((each) => each.rule === rule && each.files.includes(numberOf(file)));
    if (!exception) return [`${file}:${line + 1}: ${rule}: ${message}`];
    excused.add(`${rule} of ${numberOf(file)}`);
    return [];
  });
  const idle = landed
    .flatMap(({ rule, files }) => files.map((file) => `${rule} of ${file}`))
    .filter((exception) => !excused.has(exception))
    .map((exception) => `tools/check/migrations/landed.mjs excuses nothing: ${exception}`);
  return [...faults, ...idle];
}

/**
 * The comments that silence the linter for a whole file, or without a rule's name and a reason.
 *
 * @param {string} file
 * @param {string} text
 * @returns {string[]}
 */
export function unreasoned(file, text) {
  return text.split('\n').flatMap((line, place) => {
    const [, wholeFile, rest] = IGNORED.exec(line) ?? [];
    if (rest === undefined || (!wholeFile && WITH_REASON.test(rest))) return [];
    return [`${file}:${place + 1}: write -- squawk-ignore rule-name -- the reason, above one statement`];
  });
}
