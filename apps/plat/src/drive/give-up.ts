import { getReview } from '@plat/api-client';
import { commitOf, currentBranch } from '../gate/checkout';
import { fetchTip } from '../gate/gate-refs';
import { requeue } from '../reviews/requeue';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DriveReport } from './drive';
import type { DriveContext, DrivenReview } from './drive-context';
import { decide } from './gate-runs';
import { isOnTarget } from './landing-steps';
import { dropMerge } from './merge-step';

/**
 * Puts the review of an earlier drive back to the tail of its queue, and drops its merge. A landed review is not given
 * up: a repeated drive reports it. A review whose merge was pushed, but is no longer on the target, is given up.
 *
 * @throws Failure NOTHING_TO_GIVE_UP, LANDED_ALREADY
 */
export async function giveUp(context: DriveContext): Promise<DriveReport> {
  const { stateFile, platform, targetBranch, repository, git } = context;
  const state = await stateFile.read();
  if (!state) {
    throw new Failure('NOTHING_TO_GIVE_UP', `No drive onto ${targetBranch} is unfinished in this checkout.`, {
      next: 'plat review list --status MERGE, and plat review requeue <review_id> for one that nobody drives',
    });
  }
  if (state.pushed && (await isOnTarget(context, state))) {
    throw new Failure(
      'LANDED_ALREADY',
      `"${state.review.name}" has been pushed; only its report is missing.`,
      {
        next: nextStep('plat drive --target-branch', [targetBranch]),
      },
    );
  }
  const { reviewId } = state.review;
  const { status } = await getReview(platform.api, { reviewId });
  if (status === 'MERGE') await requeue(platform.api, reviewId);
  if (state.gateRunId !== undefined && !state.verdict) {
    await decide(context, state.gateRunId, { verdict: 'INCONCLUSIVE' });
  }
  const isOnMerge =
    (await currentBranch(git)) === targetBranch && (await commitOf(git, 'HEAD')) === state.merge?.mergeCommit;
  // If origin lacks the target, the merge stays where it is.
  if (isOnMerge && (await fetchTip(git, targetBranch)) !== undefined) await dropMerge(context, state);
  await stateFile.clear();
  const detail =
    status === 'MERGE'
      ? 'It was put back to the tail of the queue.'
      : `It is at ${status}; nothing was changed.`;
  const given: DrivenReview = { ...state.review, outcome: 'ABANDONED', detail };
  return { targetBranch, repository, reviews: [given] };
}
