import { getReview } from '@plat/api-client';
import { closeWithoutVerdict } from '../origin/readable-by-service';
import { requeue } from '../queue/requeue';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DriveReport } from './drive';
import { driveCommand } from './drive-command';
import type { DrivenReview } from './drive-context';
import type { DriveLoop } from './drive-loop';
import { decideGateRun } from './gate-runs';
import { isOnTarget } from './landing-steps';

/**
 * Puts the review of an earlier drive back to the tail of its queue. The worktree stays as it is. A landed review is not
 * given up: a repeated drive reports it. A review whose merge was pushed, but is no longer on the target, is given up.
 *
 * @throws Failure NOTHING_TO_GIVE_UP, LANDED_ALREADY
 */
export async function giveUp(loop: DriveLoop): Promise<DriveReport> {
  const { stateFile, platform, targetBranch, repository } = loop;
  const state = await stateFile.read();
  if (!state) {
    throw new Failure('NOTHING_TO_GIVE_UP', `No drive onto ${targetBranch} is unfinished in this checkout.`, {
      next: 'plat review list --status MERGE, and plat review requeue <review_id> for one that no one drives',
    });
  }
  if (state.pushed && (await isOnTarget(loop, state))) {
    throw new Failure(
      'LANDED_ALREADY',
      `"${state.review.name}" has been pushed; only its report is missing.`,
      {
        details: { reviewId: state.review.reviewId },
        next: nextStep(
          driveCommand(loop),
          '; if the platform can never verify it:',
          closeWithoutVerdict(state.review.reviewId),
        ),
      },
    );
  }
  const { reviewId } = state.review;
  const { status } = await getReview(platform.api, { reviewId });
  if (status === 'MERGE') await requeue(platform.api, reviewId);
  if (state.gateRunId !== undefined && !state.verdict) {
    await decideGateRun(loop, state.gateRunId, { verdict: 'INCONCLUSIVE' });
  }
  await stateFile.clear();
  const detail =
    status === 'MERGE'
      ? 'It was put back to the tail of the queue.'
      : `It is at ${status}; nothing was changed.`;
  const given: DrivenReview = { ...state.review, outcome: 'ABANDONED', detail };
  return { targetBranch, repository, reviews: [given] };
}
