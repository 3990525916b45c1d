import type { MergeReceipt } from '@plat/api-client';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { isIn } from './commit-facts';
import { judgeLanding, type ReviewedSource } from './judge-landing';
import { isSound, type MergedAgain, notComputed } from './merged-again';
import { judgeOther } from './other-commit';
import { hasCommit } from './receipt-clone';
import { areExact, findArrival, isKept } from './target-line';

/** The current tips of the receipt's branches. */
export interface BranchTips {
  targetTip: string;
  /** If the source branch exists: the source for a receipt that names none. */
  branchTip: string | undefined;
}

/**
 * Judges a landing by git's merge, independent of the receipt's verdict. If the receipt names another commit than the
 * reported one, that is judged, and its change must still stand in the reported one. docs/decisions/0011.
 *
 * The receipt's other words, such as the merge before, only take certainty away: a false one confirms nothing.
 */
export async function mergeAgain(git: Git, receipt: MergeReceipt, tips: BranchTips): Promise<MergedAgain> {
  try {
    return await judge(git, receipt, tips);
  } catch (error) {
    if (error instanceof Failure) return notComputed(error.message);
    throw error;
  }
}

async function judge(
  git: Git,
  receipt: MergeReceipt,
  { targetTip, branchTip }: BranchTips,
): Promise<MergedAgain> {
  const { commitId: reported, landedCommitId: landed = reported, sourceTip: named } = receipt;
  if (reported === undefined || landed === undefined) return notComputed('the receipt names no commit');
  // If the service could not judge the content, the receipt names no source, but the branch may still be there.
  const sourceTip = named ?? branchTip;
  if (sourceTip === undefined || !(await hasCommit(git, sourceTip))) {
    return notComputed('the reviewed source is no longer in the repository');
  }
  if ([landed, reported].includes(sourceTip) && branchTip === undefined) {
    return notComputed('the receipt names the landed commit as the source, and the branch is gone');
  }
  for (const commit of new Set([landed, reported])) {
    if (commit === sourceTip || !(await isIn(git, commit, sourceTip))) continue;
    return notComputed('the source that the receipt names was made from the landed commit');
  }
  const { anchorCommitId, contentReason } = receipt;
  const source = { sourceTip, anchorCommitId, isRebased: contentReason === 'rebased' };
  if (reported === sourceTip) return judgeSourceTip(git, source, { landed, targetTip });
  const found =
    landed === reported
      ? await judgeLanding(git, { ...source, commitId: reported })
      : await judgeOther(git, { ...source, landed, reported });
  if (!isSound(found) || (await isKept(git, reported, targetTip))) return found;
  return notComputed(`${found.detail}, but a merge brought the commit to the target, and not exactly`);
}

/** The verdict if the source's own tip was reported: it came by a fast-forward, or a merge brought it. */
async function judgeSourceTip(
  git: Git,
  source: ReviewedSource,
  { landed, targetTip }: { landed: string; targetTip: string },
): Promise<MergedAgain> {
  const { sourceTip } = source;
  const arrival = await findArrival(git, sourceTip, targetTip);
  if (arrival === undefined) return notComputed('the reviewed commit is not on the target');
  if (arrival.on === 'line') {
    if (await areExact(git, arrival.merges)) {
      return { verdict: 'EXACT', detail: 'the reviewed commit itself landed' };
    }
    return notComputed(
      'git does not show whether the reviewed commit came by a fast-forward or a later merge',
    );
  }
  const { commit, parents } = arrival.merge;
  const found = await judgeLanding(git, { ...source, commitId: commit });
  const isMergeOfIt = parents[1] === sourceTip && (landed === sourceTip || landed === commit);
  if (isSound(found) || isMergeOfIt) return found;
  return notComputed(`${commit} brought the reviewed commit to the target with others`);
}
