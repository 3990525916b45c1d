import { readTimes } from '../times.mjs';
import { selectSpecs } from './select.mjs';

/**
 * Seconds of specs, added up, that a run of a change may take: two processors do them in half a minute, and the run's
 * database and its first compilation take the rest of a minute.
 */
const SECONDS_MAX = 50;
const ALL = '--all';

/** The argument of a run of a change: `--changed`, or `--changed=<commit>`. Undefined if the run is another. */
export const changedArgument = (args) => args.find((word) => /^--changed(?:=.+)?$/.test(word));

/**
 * The specs of a run of a change, and the arguments that are left for jest. Prints the base, the specs and those that
 * are left out. With `--all` none is.
 *
 * @param {string} root
 * @param {string[]} args
 * @param {{isRun: (file: string) => boolean}} run isRun: whether the tier has the spec
 * @returns {Promise<{files: string[], args: string[]}>}
 */
export async function selectionOf(root, args, { isRun }) {
  const asked = changedArgument(args);
  const [, base] = asked.split('=');
  const selection = selectSpecs({
    root,
    base,
    isRun,
    secondsMax: args.includes(ALL) ? Infinity : SECONDS_MAX,
    times: await readTimes(root),
  });
  process.stdout.write(`${reportOf(selection).join('\n')}\n`);
  return {
    files: selection.running.map(({ file }) => file),
    args: args.filter((word) => word !== asked && word !== ALL),
  };
}

function reportOf({ base, changed, unread, running, left }) {
  const lines = [
    `${changed.length} files changed since ${base.slice(0, 12)}; their specs: ${running.length}`,
  ];
  if (unread.length > 0) lines.push(`No spec rests on ${unread.join(', ')}.`);
  if (left.length > 0) {
    lines.push(
      `${left.length} specs farther from the change do not run. ` +
        `To run them too: npm test -- --changed ${ALL}; all tests: npm test`,
    );
  }
  return lines;
}
