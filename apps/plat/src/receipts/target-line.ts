import type { Git } from '../git/git';
import { readParents, readTree } from './commit-facts';
import { mergeFrom, mergeTree } from './merge-from';

/** A commit of the target's line, which is the tip and its first parents. */
interface LineCommit {
  commit: string;
  parents: readonly string[];
}

/**
 * How a commit came to a target. `line`: it is on the target's own line. `merge`: that merge of the line brought it. In
 * both cases `merges` are the merges above it on the line that also merged a commit without it.
 */
export type Arrival =
  { on: 'line'; merges: LineCommit[] } | { on: 'merge'; merge: LineCommit; merges: LineCommit[] };

/** Most merges that are made again to see which of their sides the target was. */
const MERGES_MAX = 32;

/** @returns undefined if the target does not have the commit */
export async function findArrival(git: Git, commit: string, tip: string): Promise<Arrival | undefined> {
  if (commit === tip) return { on: 'line', merges: [] };
  const between = await git.run(['rev-list', '--ancestry-path', tip, `^${commit}`]);
  const descendants = new Set([commit, ...linesOf(between)]);
  const line = (await readLine(git, tip, commit)).filter((each) => descendants.has(each.commit));
  const oldest = line.at(-1);
  if (oldest === undefined) return undefined;
  const merges = line.filter(({ parents }) => parents.some((parent) => !descendants.has(parent)));
  return oldest.parents[0] === commit ? { on: 'line', merges } : { on: 'merge', merge: oldest, merges };
}

const linesOf = (listed: string): string[] => listed.split('\n').filter(Boolean);

/** The target's line down to the history of a commit, newest first. */
async function readLine(git: Git, tip: string, commit: string): Promise<LineCommit[]> {
  const listed = await git.run(['rev-list', '--first-parent', '--parents', tip, `^${commit}`]);
  return linesOf(listed)
    .map((line) => line.split(' '))
    .map(([id = '', ...parents]) => ({ commit: id, parents }));
}

/**
 * Whether merges lose and add nothing, so that it does not matter which of their sides was the target: a person who
 * merges the target into a branch, and pushes the result as the target, makes the branch the first parent.
 */
export async function areExact(git: Git, merges: readonly LineCommit[]): Promise<boolean> {
  if (merges.length > MERGES_MAX) return false;
  for (const merge of merges) if (!(await isExact(git, merge))) return false;
  return true;
}

async function isExact(git: Git, { commit, parents }: LineCommit): Promise<boolean> {
  const [onto, source, ...more] = parents;
  if (onto === undefined || source === undefined || more.length > 0) return false;
  return (await mergeTree(git, { onto, source })) === (await readTree(git, commit));
}

/**
 * Whether the target got what a commit changed: the commit is on its line, or the merge that brought it is exact, and
 * merging the commit into that merge again changes nothing.
 */
export async function isKept(git: Git, commit: string, tip: string): Promise<boolean> {
  const arrival = await findArrival(git, commit, tip);
  if (arrival?.on !== 'merge') return arrival !== undefined;
  const { merge } = arrival;
  const [base] = await readParents(git, commit);
  if (base === undefined || !(await isExact(git, merge))) return false;
  const again = await mergeFrom(git, { base, onto: merge.commit, source: commit });
  return again === (await readTree(git, merge.commit));
}
