/** @typedef {{file: string, line: number, rule_name: string, message: string}} Finding as squawk reports it */

const IGNORED = /squawk-ignore(-file)?\b(.*)/;
const WITH_REASON = /^ [a-z-]+(, ?[a-z-]+)* -- \S.*/;

/**
 * The findings, a line each.
 *
 * @param {Finding[]} findings
 * @returns {string[]}
 */
export const faultsOf = (findings) =>
  findings.map(({ file, line, rule_name: rule, message }) => `${file}:${line + 1}: ${rule}: ${message}`);

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
