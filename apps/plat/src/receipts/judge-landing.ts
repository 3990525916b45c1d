import type { Git } from '../git/git';
import { isIn, listMergeBases, readParents, readTree } from './commit-facts';
import { compareMerge } from './compare-merge';
import { EARLIER, hasEarlierPart, isTakenBack } from './earlier-part';
import { findLandedSteps } from './landed-steps';
import { mergeFrom, mergeSides } from './merge-from';
import { isSound, type MergedAgain, notComputed } from './merged-again';

/** A source, and the facts of the receipt about its landing. */
export interface ReviewedSource {
  sourceTip: string;
  /** The merge before in the queue, if one is known. */
  anchorCommitId: string | undefined;
  /** Whether the receipt says that the source landed commit by commit. */
  isRebased: boolean;
}

export interface Landing extends ReviewedSource {
  commitId: string;
}

interface Merge extends Landing {
  /** The target before the landing. */
  onto: string;
  /** Whether `onto` is the second parent. A fast-forward to the source, and a merge of others, could be the same commit. */
  isTurned: boolean;
}

/**
 * Judges one commit as the landing of a source: merges the source onto its parent by the recipe, and compares the result
 * with the landed tree. If that is not it, looks for the source's commits one by one.
 *
 * @throws Failure
 */
export async function judgeLanding(git: Git, landing: Landing): Promise<MergedAgain> {
  const { commitId, sourceTip, anchorCommitId: anchor } = landing;
  const [first, second, ...more] = await readParents(git, commitId);
  if (first === undefined || more.length > 0) {
    return notComputed('the landed commit has no parent, or more than two');
  }
  const onto = first === sourceTip ? (second ?? first) : first;
  // Several reviews can be reported with one commit, which is the merge before then.
  if (anchor !== undefined && anchor !== commitId && !(await isIn(git, anchor, onto))) {
    return notComputed(`${onto}, onto which it was merged, does not have the merge before`);
  }
  if (await isIn(git, sourceTip, onto)) return notComputed('the source was in the parent already');
  return judgeMerge(git, { ...landing, onto, isTurned: onto === second });
}

async function judgeMerge(git: Git, merge: Merge): Promise<MergedAgain> {
  const { commitId, sourceTip, onto, isRebased } = merge;
  const landedTree = await readTree(git, commitId);
  if (landedTree === (await readTree(git, onto))) return notComputed('the landed commit changes nothing');
  const found = await compareMerge(git, await mergeSides(git, { onto, source: sourceTip }), landedTree);
  if (found.verdict === 'NOT_COMPUTED') return found;
  if (found.verdict === 'EXACT' && !isRebased) return (await findDoubt(git, merge)) ?? found;
  const bases = await listMergeBases(git, onto, sourceTip);
  if (bases.length > 1) return judgeFromEach(git, merge, bases);
  return judgeSteps(git, merge, found);
}

/** Why a merge that is exact may not be all that landed. */
async function findDoubt(git: Git, merge: Merge): Promise<MergedAgain | undefined> {
  const { commitId, sourceTip, onto, anchorCommitId, isTurned } = merge;
  const exact = 'the merge is the landed tree';
  if (isTurned) return notComputed(`${exact}, but git does not show which of its parents was the target`);
  if (anchorCommitId === undefined) return undefined;
  const [base, ...others] = await listMergeBases(git, onto, sourceTip);
  if (base === undefined || others.length > 0) return undefined;
  const landed = { base, onto, source: sourceTip, landed: commitId, anchorCommitId };
  if (await hasEarlierPart(git, landed)) return notComputed(`${exact}, but ${EARLIER}`);
  return (await isTakenBack(git, landed))
    ? notComputed(`${exact}, but a part of the source was merged before, and no longer stands`)
    : undefined;
}

/** git merges several merge bases into one first, so only a landing that is exact from each of them is certain. */
async function judgeFromEach(
  git: Git,
  { commitId, sourceTip, onto }: Merge,
  bases: readonly string[],
): Promise<MergedAgain> {
  const landedTree = await readTree(git, commitId);
  for (const base of bases) {
    if ((await mergeFrom(git, { base, onto, source: sourceTip })) === landedTree) continue;
    return { verdict: 'UNDECIDED', detail: 'the branches have several merge bases' };
  }
  return { verdict: 'SAME_CHANGE', detail: 'the merge from each of several merge bases is the landed tree' };
}

/** @param found the verdict on the landing as one merge */
async function judgeSteps(git: Git, merge: Merge, found: MergedAgain): Promise<MergedAgain> {
  const walked = await findLandedSteps(git, merge);
  if (walked.landed) {
    return { verdict: 'SAME_CHANGE', detail: `its commits landed one by one, in ${walked.steps} steps` };
  }
  const isOpen = isSound(found) || (found.verdict === 'DIVERGENT' && walked.isPossible);
  return isOpen ? { verdict: 'UNDECIDED', detail: `${found.detail}, but ${walked.why}` } : found;
}
