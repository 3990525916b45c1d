import { isCommitId } from '@plat/contracts/core';
import { commitOf, currentBranch } from '../checkout/checkout';
import { gatedRef, mergeRef, ontoRef, readSources } from '../checkout/own-merge';
import type { Git } from '../git/git';
import { gateRef } from '../push/gate-refs';
import type { PushInput } from '../push/push';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { readNotedGate } from './noted-gates';

/**
 * The commit for a push by hand: the named one, otherwise the merge on the checked-out target branch, if it is the last
 * one whose gate has passed in this checkout.
 *
 * @throws Failure BRANCH_MISMATCH, INVALID_COMMIT_ID, NO_SUCH_COMMIT, NOT_GATED, GATE_FAILED
 */
export async function commitToPush(git: Git, targetBranch: string, named?: string): Promise<PushInput> {
  const commitId = await (named === undefined ? requireGated(git, targetBranch) : requireCommit(git, named));
  await requireNoFailedGate(git, targetBranch, commitId);
  // The base and the sources of a merge that was made elsewhere are unknown.
  if ((await commitOf(git, mergeRef(targetBranch))) !== commitId) return { targetBranch, commitId };
  const [onto, sources] = [await commitOf(git, ontoRef(targetBranch)), await readSources(git, targetBranch)];
  return { targetBranch, commitId, onto, sources };
}

async function requireGated(git: Git, targetBranch: string): Promise<string> {
  const standing = await requireCheckedOut(git, targetBranch);
  const gated = await commitOf(git, gatedRef(targetBranch));
  // There is nothing new to push if the checkout is at the target's tip as the last gate fetched it.
  if (gated === standing || (await commitOf(git, gateRef(targetBranch))) === standing) return standing;
  const known = gated === undefined ? 'no merge has passed a gate here' : `the last one that has is ${gated}`;
  throw new Failure(
    'NOT_GATED',
    `${targetBranch} is at ${standing}, which has passed no gate here; ${known}.`,
    {
      details: { targetBranch, commitId: standing, gatedCommit: gated },
      next: `plat build --gate, then plat review record-build <review_id> --gate; with --vouch for a gate that ran elsewhere`,
    },
  );
}

/** Refuses a commit whose last gate here failed, also one that the person names. */
async function requireNoFailedGate(git: Git, targetBranch: string, commitId: string): Promise<void> {
  const noted = await readNotedGate(git, commitId);
  if (noted?.passed !== false) return;
  throw new Failure('GATE_FAILED', `The last gate of ${commitId} failed in this checkout, at ${noted.at}.`, {
    details: { targetBranch, commitId, failedAt: noted.at },
    next: 'plat build --gate, on that commit; then repeat the command',
  });
}

async function requireCommit(git: Git, named: string): Promise<string> {
  if (!isCommitId(named)) {
    throw new Failure('INVALID_COMMIT_ID', `--commit-id ${JSON.stringify(named)} is not a full commit id.`, {
      next: 'git rev-parse <revision>',
    });
  }
  if ((await commitOf(git, named)) === named) return named;
  throw new Failure('NO_SUCH_COMMIT', `The checkout has no commit ${named}.`, {
    details: { commitId: named },
    next: 'push from the checkout in which it was merged',
  });
}

async function requireCheckedOut(git: Git, targetBranch: string): Promise<string> {
  const branch = await currentBranch(git);
  const commitId = await commitOf(git, `refs/heads/${targetBranch}`);
  if (branch === targetBranch && commitId !== undefined) return commitId;
  const there = branch === undefined ? 'no branch (HEAD is detached)' : branch;
  throw new Failure(
    'BRANCH_MISMATCH',
    `The checkout is on ${there}, not on the target branch ${targetBranch}.`,
    {
      details: { targetBranch, branch },
      next: nextStep(
        'plat exec gate-merge --target-branch',
        [targetBranch],
        '--source <branch>, which checks the merge out',
      ),
    },
  );
}
