import type { Review } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DrivenReview } from './drive-context';
import type { DriveLoop } from './drive-loop';
import { driveReview } from './drive-review';
import { type NextReview, takeReview } from './next-review';
import { withEndedReviews } from './stopped-after';
import { fetchTargetTip } from './target-tip';

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
export async function drive(loop: DriveLoop, once: boolean): Promise<DriveReport> {
  const { targetBranch, repository, note, interrupted, stateFile } = loop;
  const reviews: DrivenReview[] = [];
  const taken = new Map<string, string>();
  try {
    await fetchTargetTip(loop, await stateFile.read());
    for (;;) {
      interrupted.throwIfAborted();
      const next = await takeNext(loop);
      if (!next) break;
      requireChange(taken, next.review);
      note(`Driving "${next.review.name}" (${next.review.sourceBranch})`);
      const driven = await driveReview(loop, next);
      reviews.push(driven);
      note(
        `"${driven.name}" is ${driven.outcome}${driven.detail === undefined ? '' : `: ${firstLine(driven.detail)}`}`,
      );
      await stateFile.clear();
      if (once) break;
    }
  } catch (error) {
    throw reviews.length === 0 ? error : withEndedReviews(reviews, error);
  }
  return { targetBranch, repository, reviews };
}

/** Takes the next review. Its state is on disk before its merge is made. @throws the failures of `takeReview` */
export async function takeNext(loop: DriveLoop): Promise<NextReview | undefined> {
  const left = await loop.stateFile.read();
  const next = await takeReview(loop, left);
  if (next && next.state !== left) await loop.stateFile.write(next.state);
  return next;
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
