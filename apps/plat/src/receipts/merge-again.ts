import type { MergeReceipt } from '@plat/api-client';
import type { Git } from '../gate/git';
import { mergeByRecipe } from '../gate/merge-by-recipe';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { judgeConflicts, listChangedPaths } from './conflict-places';
import { findLandedSteps } from './landed-steps';
import { mergeFrom, oversized, readTree } from './merge-from';
import { type MergedAgain, nameSome } from './merged-again';
import { hasCommit } from './receipt-clone';

const notComputed = (detail: string): MergedAgain => ({ verdict: 'NOT_COMPUTED', detail });

/**
 * Judges a landing by git's merge, independent of the receipt's verdict: merges the source onto the landed commit's
 * parent by the recipe, and compares the result with the landed tree. If that is not it, looks for the source's commits
 * one by one. If the receipt names another commit than the reported one, that is judged, and its change must still
 * stand in the reported one. docs/decisions/0011.
 *
 * @param branchTip the current tip of the source branch, if it exists: the source for a receipt that names none
 */
export async function mergeAgain(
  git: Git,
  receipt: MergeReceipt,
  branchTip: string | undefined,
): Promise<MergedAgain> {
  try {
    return await judge(git, receipt, branchTip);
  } catch (error) {
    if (error instanceof Failure) return notComputed(error.message);
    throw error;
  }
}

async function judge(git: Git, receipt: MergeReceipt, branchTip: string | undefined): Promise<MergedAgain> {
  const { commitId: reported, landedCommitId: commitId = reported, sourceTip: named } = receipt;
  if (commitId === undefined) return notComputed('the receipt names no commit');
  // If the service could not judge the content, the receipt names no source, but the branch may still be there.
  const sourceTip = named ?? branchTip;
  if (sourceTip === undefined || !(await hasCommit(git, sourceTip))) {
    return notComputed('the reviewed source is no longer in the repository');
  }
  if (commitId === sourceTip && branchTip === undefined) {
    return notComputed('the receipt names the landed commit as the source, and the branch is gone');
  }
  const { anchorCommitId, contentReason } = receipt;
  const landing = { commitId, sourceTip, anchorCommitId };
  const onto = await readOnto(git, landing);
  if (onto === undefined) return notComputed('the landed commit has no parent, or more than two');
  const found = await judgeCommit(git, { ...landing, onto }, contentReason === 'rebased');
  if (reported === undefined || reported === commitId) return found;
  // A fast-forward may bring several commits, of which the last one's parent is no base.
  const base = commitId === sourceTip ? (anchorCommitId ?? onto) : onto;
  return judgeOther(git, { landed: commitId, reported, base }, found);
}

interface Landing {
  commitId: string;
  sourceTip: string;
  anchorCommitId: string | undefined;
}

interface Merge extends Landing {
  onto: string;
}

/** The commit onto which the source was merged: a merge of the target into the source is compared with its second parent. */
async function readOnto(git: Git, { commitId, sourceTip }: Landing): Promise<string | undefined> {
  const listed = await git.run(['rev-list', '--parents', '-n', '1', commitId]);
  const [, first, second, ...more] = listed.trim().split(' ');
  if (more.length > 0) return undefined;
  return first === sourceTip ? (second ?? first) : first;
}

/** @param isRebased whether the receipt says that the source landed commit by commit */
async function judgeCommit(git: Git, landing: Merge, isRebased: boolean): Promise<MergedAgain> {
  const { commitId, sourceTip, onto } = landing;
  if (commitId === sourceTip) return { verdict: 'EXACT', detail: 'the reviewed commit itself landed' };
  if ((await git.try(['merge-base', '--is-ancestor', sourceTip, onto])).code === 0) {
    return notComputed('the source was in the parent already');
  }
  const found = await judgeMerge(git, landing);
  const isCertain = found.verdict === 'NOT_COMPUTED' || (found.verdict === 'EXACT' && !isRebased);
  if (isCertain) return found;
  const walked = await findLandedSteps(git, landing);
  if (walked.landed) {
    return { verdict: 'SAME_CHANGE', detail: `its commits landed one by one, in ${walked.steps} steps` };
  }
  if (found.verdict !== 'EXACT') return found;
  return { verdict: 'UNDECIDED', detail: `${found.detail}, but ${walked.why}` };
}

interface OtherCommit {
  landed: string;
  reported: string;
  /** The target before the landed commit. */
  base: string;
}

/** The verdict on another commit than the reported one: its change must still stand in that. */
async function judgeOther(
  git: Git,
  { landed, reported, base }: OtherCommit,
  found: MergedAgain,
): Promise<MergedAgain> {
  if (found.verdict === 'SAME_CHANGE' || found.verdict === 'BY_HAND') {
    return { verdict: 'UNDECIDED', detail: `${found.detail}, and the reported commit is another one` };
  }
  if (found.verdict !== 'EXACT') return found;
  const again = await mergeFrom(git, { base, onto: reported, source: landed });
  if (again === (await readTree(git, reported))) {
    return { verdict: 'SAME_CHANGE', detail: `${landed} is the merge, and still stands in ${reported}` };
  }
  return {
    verdict: 'DIVERGENT',
    detail: `${landed} is the merge, but a part of it no longer stands in ${reported}`,
  };
}

async function judgeMerge(git: Git, { commitId, sourceTip, onto }: Merge): Promise<MergedAgain> {
  const landedTree = await readTree(git, commitId);
  if (landedTree === (await readTree(git, onto))) return notComputed('the landed commit changes nothing');
  const merged = await mergeByRecipe(git, { onto, source: sourceTip });
  switch (merged.outcome) {
    case 'oversized':
      throw oversized();
    case 'unrelated':
      return notComputed('source and target have no history in common');
    case 'conflict':
      return judgeConflicts(git, { merged, sides: { target: onto, source: sourceTip }, landedTree });
    case 'clean':
      break;
  }
  if (merged.tree === landedTree) return { verdict: 'EXACT', detail: 'the merge is the landed tree' };
  const paths = nameSome(await listChangedPaths(git, merged.tree, landedTree));
  return {
    verdict: 'DIVERGENT',
    detail: printableLine(`the landed tree differs from the merge in ${paths}`),
  };
}
