import type { MergeReceipt } from '@plat/api-client';
import { commitOf } from '../checkout/checkout';
import { Undecided } from '../doctor/examination';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { hasCommit, type ReceiptClone } from './receipt-clone';
import { type ReceiptSubject, repositoryOf } from './receipt-subject';
import { findArrival } from './target-line';

/**
 * Checks the reviewed commit against the source branch. Without that check only the receipt says what was reviewed,
 * and a service could name the landed commit itself, which always equals what landed. If the branch is gone, the
 * caller's own checkout may still have it; otherwise the caller has to name the commit.
 *
 * @throws Failure RECEIPT_NOT_BORNE_OUT if the caller names another commit
 * @throws Undecided if nothing confirms the commit
 */
export async function compareSource(
  clone: ReceiptClone,
  receipt: MergeReceipt,
  subject: ReceiptSubject,
): Promise<string> {
  const { sourceTip, sourceBranch } = receipt;
  const { sourceBranchTip: tip } = clone;
  if (subject.sourceCommit !== undefined) return compareNamed(subject.sourceCommit, sourceTip);
  if (tip === undefined) {
    const ref = await findOwnRef(receipt, subject);
    if (ref === undefined) throw unconfirmed(receipt, 'which is gone,');
    return `${sourceTip} is on ${ref} of your checkout; the branch itself is gone`;
  }
  if (!(await isOnBranch(clone.git, tip, { ...receipt, sourceTip: sourceTip ?? tip }))) {
    throw unconfirmed(receipt, `now at ${tip},`);
  }
  if (sourceTip === undefined) {
    return `the receipt names none, so the tip of ${sourceBranch}, ${tip}, is compared`;
  }
  if (sourceTip === tip) return `${sourceTip} is the tip of ${sourceBranch}`;
  return `${sourceTip} is on ${sourceBranch}, which has moved on`;
}

/** @param sourceTip undefined if the receipt names none: the named one is judged then */
function compareNamed(named: string, sourceTip = named): string {
  if (sourceTip === named) return `${named} is the commit that you named`;
  throw new Failure(
    'RECEIPT_NOT_BORNE_OUT',
    `the receipt says that ${sourceTip} was reviewed, and not ${named}.`,
    { next: 'do not trust this receipt if you reviewed the commit that you named' },
  );
}

/** @param how the state of the branch, such as `which is gone,` */
function unconfirmed({ sourceTip, sourceBranch }: MergeReceipt, how: string): Undecided {
  if (sourceTip === undefined) {
    return new Undecided(`the receipt names no reviewed commit, and ${sourceBranch}, ${how} shows none.`, {
      next: 'name the commit that was reviewed by --source-commit',
    });
  }
  return new Undecided(
    `the receipt says that ${sourceTip} was reviewed, which ${sourceBranch}, ${how} does not confirm.`,
    {
      next: nextStep(
        'ask the author which commit was reviewed; if it is this one, repeat the command with --source-commit',
        [sourceTip],
        '; if not, do not trust this receipt',
      ),
    },
  );
}

/** The branch of the caller's own checkout of the repository that has the reviewed commit. */
async function findOwnRef(receipt: MergeReceipt, { checkout }: ReceiptSubject): Promise<string | undefined> {
  if (receipt.sourceTip === undefined || checkout?.repository !== repositoryOf(receipt)) return undefined;
  for (const ref of [
    `refs/heads/${receipt.sourceBranch}`,
    `refs/remotes/${ORIGIN}/${receipt.sourceBranch}`,
  ]) {
    const tip = await commitOf(checkout.git, ref);
    if (tip !== undefined && (await isOnBranch(checkout.git, tip, receipt))) return ref;
  }
  return undefined;
}

/**
 * Whether the reviewed commit is on the own line of its branch: commits of the target that were merged into the branch
 * are not. If the receipt names the landed commit as reviewed, the branch must still be at it, because a branch that was
 * made from the target later has that commit as well.
 */
async function isOnBranch(
  git: Git,
  tip: string,
  { sourceTip = '', sourceBranch, targetBranch, commitId, landedCommitId }: MergeReceipt,
): Promise<boolean> {
  if (sourceBranch === targetBranch) return false;
  if (sourceTip === commitId || sourceTip === landedCommitId) return sourceTip === tip;
  return (await hasCommit(git, sourceTip)) && (await findArrival(git, sourceTip, tip))?.on === 'line';
}
