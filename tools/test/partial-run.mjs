/** Arguments of jest with which a file may run in part, or in some of its projects only. */
const PARTIAL =
  /^--(?:no-)?(?:testNamePattern|test-name-pattern|shard|bail|projects|(?:select|ignore)(?:-p|P)rojects)(?:=|$)/;
/** The short forms of a pattern of names and of an early end, also next to others and before their value. */
const PARTIAL_SHORT = /^-[A-Za-z]*[bt]/;

/**
 * Whether a run with these arguments of jest is only a part of the files that it selects, so that what it came to says
 * nothing of a whole file. One that may end early counts as a part.
 *
 * @param {string[]} args
 */
export const isPartialRun = (args) => args.some((word) => PARTIAL.test(word) || PARTIAL_SHORT.test(word));
