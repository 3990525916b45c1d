import type { Review } from '@plat/api-client';
import { commitOf, currentBranch, requireHeadCommit } from '../checkout/checkout';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { gateRef } from '../push/gate-refs';
import { carries, isAncestor } from '../push/landing';
import { requireSameRepository } from '../reviews/same-repository';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { requireUnchangedCheckout } from './unchanged-checkout';

export interface BuiltCommitQuestion {
  review: Review;
  /** Whether the build is one of the prospective merge. */
  gate: boolean;
  failed: boolean;
}

/**
 * The checked-out commit, if a build of it counts for the review. It must be the tip of the source branch, or for a
 * gate the merge of that tip that gate-merge made. A build of any other commit would move the review without a reason.
 *
 * @throws Failure OTHER_REPOSITORY, NOT_THE_SOURCE, NOT_THE_MERGE, UNFINISHED_OPERATION, DIRTY_TREE
 */
export async function findBuiltCommit(git: Git, question: BuiltCommitQuestion): Promise<string> {
  const { review, gate, failed } = question;
  const head = await requireHeadCommit(git);
  await requireSameRepository(git, review, BY_COMMIT);
  await requireUnchangedCheckout(git);
  const tip = await originTip(git, review.sourceBranch);
  // A merge that conflicts has no commit, so its failure is recorded at the source's tip. Spec: API, Build, GATE.
  if (gate && !(failed && head === tip)) return requireMerge(git, { head, tip, review });
  if (head === tip) return head;
  const where =
    tip === undefined
      ? `origin has no branch ${review.sourceBranch}`
      : `${review.sourceBranch} is at ${tip} on origin`;
  throw new Failure(
    'NOT_THE_SOURCE',
    `The checkout is at ${head}, and ${where}: a build of it does not count for "${review.name}".`,
    {
      details: { reviewId: review.reviewId, commitId: head, sourceCommit: tip },
      next: nextStep(
        await wayToTheSource(git, review.sourceBranch),
        '; for a build of another commit: --commit-id <commit>',
      ),
    },
  );
}

/**
 * The next step: push the source if it is checked out, otherwise switch to it. The ref is whole, since git would take the
 * name `refs/heads/main` of a branch for main.
 */
async function wayToTheSource(git: Git, sourceBranch: string): Promise<NextStep> {
  const isThere = (await currentBranch(git)) === sourceBranch;
  return nextStep(
    isThere ? ['git', 'push', ORIGIN, `HEAD:refs/heads/${sourceBranch}`] : ['git', 'switch', sourceBranch],
  );
}

interface Merge {
  head: string;
  /** The current tip of the source on origin. */
  tip: string | undefined;
  review: Review;
}

async function requireMerge(git: Git, { head, tip, review }: Merge): Promise<string> {
  const { sourceBranch, targetBranch, name, reviewId } = review;
  const refuse = (why: string): never => {
    throw new Failure(
      'NOT_THE_MERGE',
      `The checkout is at ${head}, which is no merge of "${name}": ${why}.`,
      {
        details: { reviewId, commitId: head, sourceCommit: tip },
        next: nextStep(
          'plat exec gate-merge --source',
          [sourceBranch],
          '--target-branch',
          [targetBranch],
          ', build it, and repeat the command; for a merge that was made elsewhere: --commit-id <commit>',
        ),
      },
    );
  };
  const [taken, target] = [
    await commitOf(git, gateRef(sourceBranch)),
    await commitOf(git, gateRef(targetBranch)),
  ];
  if (taken === undefined || target === undefined) {
    return refuse(`no gate in this checkout took ${sourceBranch}`);
  }
  if (tip !== taken) return refuse(`${sourceBranch} has moved on origin since the gate took ${taken}`);
  if (head === taken || !(await isAncestor(git, target, head))) {
    return refuse(`it does not stand on ${targetBranch} as the gate fetched it`);
  }
  if (!(await carries(git, head, taken))) return refuse(`it does not have everything of ${sourceBranch}`);
  return head;
}

const BY_COMMIT = nextStep(', or add --commit-id <commit>');

/** The branch's current tip on origin; undefined if there is no such branch. Fetches nothing. */
async function originTip(git: Git, branch: string): Promise<string | undefined> {
  const listed = await git.run(['ls-remote', '--', ORIGIN, `refs/heads/${branch}`]);
  return listed
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, ref]) => ref === `refs/heads/${branch}`)?.[0];
}
