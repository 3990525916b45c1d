import type { Git } from '../git/git';
import { readParents, readTree } from './commit-facts';
import { compareMerge } from './compare-merge';
import { listChangedPaths } from './conflict-places';
import { EARLIER, hasEarlierPart } from './earlier-part';
import { mergeSides, mergeSidesFrom, mergeTree, type ThreeCommits } from './merge-from';
import type { MergedAgain } from './merged-again';
import { areExactMerges, readSource, type SourceCommit, type SourceCommits } from './source-commits';

/** Most consecutive commits of the source that are looked for in one landed commit, if it does not hold all. */
const SQUASHED_MAX = 8;
/** Most commits of others that may lie between the steps. */
const OTHERS_MAX = 40;

/** Whether a source landed commit by commit: if it did not, why not, and whether it may have, decided by a person. */
export type LandedSteps =
  { landed: true; steps: number } | { landed: false; why: string; isPossible: boolean };

interface Landing {
  /** The commit that landed last, and the one before it. */
  commitId: string;
  onto: string;
  sourceTip: string;
  anchorCommitId: string | undefined;
}

/**
 * Looks for the source's commits on the target, from the landed commit back along first parents. Each step must be
 * exactly the pick of one or several commits onto the commit before it. Afterwards merging the source into the landed
 * commit must change nothing, because a commit of others between them may have taken back what an earlier one brought.
 *
 * @throws Failure SOURCE_OVERSIZED
 */
export async function findLandedSteps(git: Git, landing: Landing): Promise<LandedSteps> {
  if ((await readParents(git, landing.commitId)).length > 1) {
    return { landed: false, why: 'the landed commit is a merge', isPossible: false };
  }
  const source = await readSource(git, landing);
  if (typeof source === 'string') return { landed: false, why: source, isPossible: true };
  const walked = await walk(git, landing, source);
  if (typeof walked === 'number') return { landed: true, steps: walked };
  return { landed: false, why: walked, isPossible: await isPossible(git, landing, source) };
}

/** @returns the number of steps, or why they are not the whole source */
async function walk(git: Git, landing: Landing, source: SourceCommits): Promise<number | string> {
  const { commitId, sourceTip, anchorCommitId } = landing;
  let [left, steps, others] = [source.commits, 0, 0];
  for (let at: string | undefined = commitId; left.length > 0;) {
    const step = at === undefined ? undefined : await findStep(git, left, at);
    if (step !== undefined) {
      if (anchorCommitId !== undefined && (await hasEarlierPart(git, { ...step, anchorCommitId }))) {
        return EARLIER;
      }
      [left, steps] = [left.slice(0, step.from), steps + 1];
    } else if (at === undefined || steps === 0 || (others += 1) > OTHERS_MAX) {
      return `no commit on the target is the pick of ${left.at(-1)!.commit}`;
    }
    at = at && (await readParents(git, at))[0];
  }
  if (steps === 0) return 'the source brings nothing';
  if (!(await areExactMerges(git, source.merges))) return 'a merge of the target in the source is not exact';
  const stands =
    (await mergeTree(git, { onto: commitId, source: sourceTip })) === (await readTree(git, commitId));
  return stands ? steps : 'a part of the source no longer stands in the landed commit';
}

/** A commit of the target, and the last commits of a source that it may be the pick of. */
interface Step extends ThreeCommits {
  landed: string;
  /** The index of the first of them in the source. */
  from: number;
}

async function findStep(git: Git, commits: SourceCommit[], landed: string): Promise<Step | undefined> {
  const [onto, ...merged] = await readParents(git, landed);
  if (onto === undefined || merged.length > 0) return undefined;
  if ((await readTree(git, landed)) === (await readTree(git, onto))) return undefined;
  for (const step of likelySteps(commits, { landed, onto })) {
    if ((await comparePick(git, step)).verdict === 'EXACT') return step;
  }
  return undefined;
}

/** The shortest first. A merge of the target between two commits of the source separates steps. */
function likelySteps(commits: readonly SourceCommit[], target: { landed: string; onto: string }): Step[] {
  const last = commits.at(-1);
  if (last === undefined) return [];
  const together = [...commits.keys()].filter((at) => commits[at]!.merges === last.merges);
  const starts = new Set([...together.slice(-SQUASHED_MAX).toReversed(), ...together.slice(0, 1)]);
  return [...starts].map((from) => ({ ...target, base: commits[from]!.parent, source: last.commit, from }));
}

const comparePick = async (git: Git, step: Step): Promise<MergedAgain> =>
  compareMerge(git, await mergeSidesFrom(git, step), await readTree(git, step.landed));

/**
 * Whether the landed commit may be the last step although the walk found not all: it is a pick, exact or decided by a
 * person, and the commits before it may stand in its parent.
 */
async function isPossible(
  git: Git,
  { commitId, onto }: Landing,
  { commits, merges }: SourceCommits,
): Promise<boolean> {
  for (const step of likelySteps(commits, { landed: commitId, onto })) {
    // The pick of all is the merge itself, which was compared before.
    if (step.from === 0 && merges.length === 0) continue;
    const { verdict } = await comparePick(git, step);
    if (verdict !== 'DIVERGENT' && (await mayStand(git, step.base, onto))) return true;
  }
  return false;
}

/** Whether merging a source into a commit changes nothing outside of files with conflicts. */
async function mayStand(git: Git, source: string, onto: string): Promise<boolean> {
  const { merged } = await mergeSides(git, { onto, source });
  if (merged.outcome === 'unrelated') return false;
  const changed = await listChangedPaths(git, merged.tree, await readTree(git, onto));
  if (merged.outcome === 'clean') return changed.length === 0;
  const paths = [...merged.files, ...merged.conflicts.flatMap((conflict) => conflict.paths)];
  return changed.every((path) => paths.includes(path));
}
