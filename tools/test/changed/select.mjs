import { changedFiles, gitIn, mergeBase, removedQuotes, trackedFiles } from './git-changes.mjs';
import { divide, stepsFrom, usersOf } from './reach.mjs';
import { graphOf } from './source-graph.mjs';
import { aliasesOf, textsOf } from './sources.mjs';

const SPEC = /\.spec\.ts$/;
/** The seconds of a spec that no run has timed yet. */
const SECONDS_UNKNOWN = 1;

/**
 * The specs that the changes since a commit touch.
 *
 * @param {object} options
 * @param {string} options.root of the repository
 * @param {string} [options.base] default: what the branch shares with main
 * @param {number} options.secondsMax the specs that are nearest to the change run, as many as take no longer together
 * @param {(file: string) => boolean} options.isRun whether the run that asks has this spec
 * @param {Record<string, {seconds: number}>} [options.times] of the specs
 * @returns {{base: string, changed: string[], unread: string[], running: Spec[], left: Spec[]}} unread: changed files that
 *   no spec is known to rest on
 *
 * @typedef {{file: string, steps: number, seconds: number}} Spec
 */
export function selectSpecs({ root, base, secondsMax, isRun, times = {} }) {
  const git = gitIn(root);
  const since = base ?? mergeBase(git);
  const changed = changedFiles(git, since);
  const files = [...new Set([...trackedFiles(git), ...changed])];
  const texts = textsOf(root, files);
  const users = usersOf(graphOf(texts, { files, aliases: aliasesOf(root) }));
  const begin = new Map(changed.map((file) => [file, 0]));
  for (const file of quoting(texts, removedQuotes(git, since))) if (!begin.has(file)) begin.set(file, 1);
  const specs = [...stepsFrom(users, begin)]
    .filter(([file]) => SPEC.test(file) && texts.has(file) && isRun(file))
    .map(([file, steps]) => ({ file, steps, seconds: times[file]?.seconds ?? SECONDS_UNKNOWN }));
  const unread = changed.filter((file) => !isRestedOn(users, file));
  return { base: since, changed, unread, ...divide(specs, { changed, secondsMax }) };
}

/** The specs, snapshots and recorded answers that quote one of the texts. */
function quoting(texts, quotes) {
  if (quotes.length === 0) return [];
  return [...texts].filter(([, text]) => quotes.some((quote) => text.includes(quote))).map(([file]) => file);
}

function isRestedOn(users, file) {
  return [...stepsFrom(users, new Map([[file, 0]])).keys()].some((reached) => SPEC.test(reached));
}
