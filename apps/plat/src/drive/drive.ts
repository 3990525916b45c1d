import type { Review } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DriveContext, DrivenReview } from './drive-context';
import { driveReview } from './drive-review';
import { nextReview } from './next-review';
import { stoppedAfter } from './stopped-after';
import { targetTip } from './target-tip';

export interface DriveReport {
  targetBranch: string;
  repository: string;
  /** In the order in which they were driven. */
  reviews: DrivenReview[];
}

/**
 * Takes the reviews of one queue through the whole drive order, until none waits.
 * Spec: Client, Gate drive rules, rule 4.
 *
 * @param once stop after one review
 * @throws the failure of a step; `details.reviews` names the reviews that were driven before
 */
export async function drive(context: DriveContext, once: boolean): Promise<DriveReport> {
  const { targetBranch, repository, note, interrupted } = context;
  const reviews: DrivenReview[] = [];
  const taken = new Map<string, string>();
  try {
    await targetTip(context, await context.stateFile.read());
    for (;;) {
      interrupted.throwIfAborted();
      const next = await nextReview(context);
      if (!next) break;
      requireChange(taken, next.review);
      note(`Driving "${next.review.name}" (${next.review.sourceBranch})`);
      const driven = await driveReview(context, next);
      reviews.push(driven);
      note(
        `"${driven.name}" is ${driven.outcome}${driven.detail === undefined ? '' : `: ${firstLine(driven.detail)}`}`,
      );
      await context.stateFile.clear();
      if (once) break;
    }
  } catch (error) {
    throw reviews.length === 0 ? error : stoppedAfter(reviews, error);
  }
  return { targetBranch, repository, reviews };
}

/**
 * Refuses a review that comes back to the slot unchanged. A change explains its return; without one the platform did
 * not act on the drive's report, and the drive would never end.
 *
 * @param taken the reviews of this drive, as they were when it took them
 */
function requireChange(taken: Map<string, string>, { reviewId, name, updatedAt }: Review): void {
  if (taken.get(reviewId) === updatedAt) {
    throw new Failure(
      'NOTHING_CHANGES',
      `"${name}" came back to the slot, and nothing about it has changed.`,
      {
        details: { reviewId, updatedAt },
        next: nextStep('plat review show', [reviewId], '; plat doctor'),
      },
    );
  }
  taken.set(reviewId, updatedAt);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
