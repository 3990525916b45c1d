import type { MergeReceipt } from '@plat/api-client';
import { Undecided } from '../doctor/examination';
import type { ReceiptClone } from './receipt-clone';

/**
 * Which commit was reviewed is the receipt's word alone, unless the source branch bears it out: a service could name
 * the landed commit itself, which always is what landed.
 *
 * @returns undefined where there is no branch, or the receipt names no source
 * @throws Undecided for a branch that is there and does not bear it out
 */
export async function compareSource(clone: ReceiptClone, receipt: MergeReceipt): Promise<string | undefined> {
  const { sourceTip, sourceBranch, targetBranch } = receipt;
  const { sourceBranchTip: tip } = clone;
  if (sourceTip === undefined || tip === undefined) return undefined;
  const isBorneOut = sourceBranch !== targetBranch && (await isOnBranch(clone, tip, receipt));
  if (isBorneOut && sourceTip === tip) return `${sourceTip} is the tip of ${sourceBranch}`;
  if (isBorneOut) return `${sourceTip} is on ${sourceBranch}, which has moved on`;
  throw new Undecided(
    `the receipt says that ${sourceTip} was reviewed, which ${sourceBranch}, now at ${tip}, does not bear out.`,
    {
      next: 'ask the author whether the branch was rewritten after the merge; if not, trust nothing of this receipt',
    },
  );
}

/**
 * A branch that was made from the target later, or that the target was merged into, has the landed commit as well. Only
 * as the tip of a branch that has not moved since can it have been reviewed.
 */
async function isOnBranch(
  { git }: ReceiptClone,
  tip: string,
  { sourceTip = '', commitId, landedCommitId }: MergeReceipt,
): Promise<boolean> {
  if (sourceTip === commitId || sourceTip === landedCommitId) return sourceTip === tip;
  return (await git.try(['merge-base', '--is-ancestor', sourceTip, tip])).code === 0;
}
