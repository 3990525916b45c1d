import { commitOf } from '../checkout/checkout';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { ProposedBranches } from './branches-on-origin';

/**
 * Refuses a source branch without a commit that origin's target lacks, as far as this checkout knows: its review could
 * bring nothing. A branch that the checkout does not know is not judged.
 *
 * @throws Failure NOTHING_TO_PROPOSE
 */
export async function requireOwnCommits(
  git: Git,
  { sourceBranch, targetBranch }: ProposedBranches,
): Promise<void> {
  const target = await commitOf(git, `refs/remotes/${ORIGIN}/${targetBranch}`);
  const source =
    (await commitOf(git, `refs/heads/${sourceBranch}`)) ??
    (await commitOf(git, `refs/remotes/${ORIGIN}/${sourceBranch}`));
  if (target === undefined || source === undefined) return;
  // In a shallow clone git may not see that one is the ancestor of the other; then nothing is refused.
  if ((await git.try(['merge-base', '--is-ancestor', source, target])).code !== 0) return;
  throw new Failure(
    'NOTHING_TO_PROPOSE',
    `${sourceBranch} has no commit that ${targetBranch} of ${ORIGIN} lacks, so there is nothing to merge.`,
    {
      details: { sourceBranch, targetBranch, commitId: source },
      next: nextStep('commit your change on', [sourceBranch], ', then repeat the command'),
    },
  );
}
