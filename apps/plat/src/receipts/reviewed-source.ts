import type { MergeReceipt } from '@plat/api-client';
import { Undecided } from '../doctor/examination';
import type { ReceiptClone } from './receipt-clone';

/**
 * Checks the reviewed commit against the source branch. Without that check only the receipt says what was reviewed,
 * and a service could name the landed commit itself, which always equals what landed.
 *
 * @returns undefined if there is no branch, or the receipt names no source
 * @throws Undecided if the branch exists and does not confirm the commit
 */
export async function compareSource(clone: ReceiptClone, receipt: MergeReceipt): Promise<string | undefined> {
  const { sourceTip, sourceBranch, targetBranch } = receipt;
  const { sourceBranchTip: tip } = clone;
  if (sourceTip === undefined || tip === undefined) return undefined;
  const isBorneOut = sourceBranch !== targetBranch && (await isOnBranch(clone, tip, receipt));
  if (isBorneOut && sourceTip === tip) return `${sourceTip} is the tip of ${sourceBranch}`;
  if (isBorneOut) return `${sourceTip} is on ${sourceBranch}, which has moved on`;
  throw new Undecided(
    `the receipt says that ${sourceTip} was reviewed, which ${sourceBranch}, now at ${tip}, does not confirm.`,
    {
      next: 'ask the author whether the branch was rewritten after the merge; if not, do not trust this receipt',
    },
  );
}

/**
 * Whether the reviewed commit is on its branch. If the receipt names the landed commit as reviewed, the branch must
 * still be at it: a branch that was made from the target later, or into which the target was merged, has that commit
 * as well.
 */
async function isOnBranch(
  { git }: ReceiptClone,
  tip: string,
  { sourceTip = '', commitId, landedCommitId }: MergeReceipt,
): Promise<boolean> {
  if (sourceTip === commitId || sourceTip === landedCommitId) return sourceTip === tip;
  return (await git.try(['merge-base', '--is-ancestor', sourceTip, tip])).code === 0;
}
