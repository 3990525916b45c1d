import { commitOf, requireHeadCommit } from '../checkout/checkout';
import type { Git } from '../git/git';
import { gateRef } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** The commits of a gate attempt. */
export interface GateRunCommits {
  /** Tip of the source branch. */
  sourceCommit: string;
  /** The prospective merge. */
  mergeCommit: string;
}

/**
 * The commits of the last gate-merge: the source's tip as it was fetched, and the checked-out merge.
 *
 * @throws Failure NO_SOURCE_COMMIT if no gate fetched the branch; NO_COMMIT
 */
export async function readGatedCommits(git: Git, sourceBranch: string): Promise<GateRunCommits> {
  const sourceCommit = await commitOf(git, gateRef(sourceBranch));
  if (sourceCommit !== undefined) return { sourceCommit, mergeCommit: await requireHeadCommit(git) };
  throw new Failure('NO_SOURCE_COMMIT', `No gate in this checkout fetched ${sourceBranch}.`, {
    next: nextStep(
      'plat exec gate-merge --source',
      [sourceBranch],
      ', or add --source-commit and --merge-commit',
    ),
  });
}
