import type { CreateReview } from '@plat/api-client';
import { isBlank } from '@plat/contracts/core';
import { openCheckout, requireCurrentBranch } from '../checkout/checkout';
import { chooseRepository } from '../checkout/repository-choice';
import { targetBranchOf } from '../checkout/target-branch-flag';
import { requireBranchName } from '../git/branches';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';

/** The flags of `plat review create`. The checkout supplies those that are not given. */
export interface ProposalFlags {
  name?: string | undefined;
  'source-branch'?: string | undefined;
  'target-branch'?: string | undefined;
  repository?: string | undefined;
}

/**
 * The proposal: by default the checked-out branch onto origin's own, named by its last commit.
 *
 * @throws Failure BLANK_NAME, NO_NAME, SAME_BRANCH, NO_SOURCE_BRANCH, INVALID_BRANCH, and those of the repository
 */
export async function proposal(flags: ProposalFlags): Promise<CreateReview> {
  if (flags.name !== undefined && isBlank(flags.name)) {
    throw new Failure('BLANK_NAME', '--name is blank.', { next: 'give the change a name' });
  }
  const sourceBranch =
    flags['source-branch'] ?? (await requireCurrentBranch(await openCheckout(process.cwd())));
  requireBranchName(sourceBranch, '--source-branch');
  const targetBranch = await targetBranchOf(flags['target-branch']);
  if (sourceBranch === targetBranch) {
    throw new Failure('SAME_BRANCH', `${sourceBranch} cannot be merged onto itself.`, {
      next: 'switch to the branch that is to be merged, or add --source-branch <branch>',
    });
  }
  const name = flags.name ?? (await lastSubject(sourceBranch));
  return { name, sourceBranch, targetBranch, repository: await chooseRepository(flags.repository) };
}

/** The subject of the last commit of the local branch, otherwise of origin's branch as last fetched. */
async function lastSubject(branch: string): Promise<string> {
  const git = await openCheckout(process.cwd());
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/${ORIGIN}/${branch}`]) {
    const { code, stdout } = await git.try(['log', '-1', '--format=%s', ref, '--']);
    if (code === 0 && !isBlank(stdout)) return stdout.trim();
  }
  throw new Failure('NO_NAME', `The checkout has no commit of ${branch} that could name the review.`, {
    next: 'add --name <text>',
  });
}
