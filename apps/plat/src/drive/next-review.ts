import { getReview, type Review } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { advanceQueue } from '../queue/advance-queue';
import { requireOfQueue } from '../queue/own-queue';
import { Failure } from '../terminal/failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { gatedElsewhere, otherGateRun } from './gate-runs';
import { findLandedState } from './landed-state';
import { withSlotKept } from './slot-kept';

/** The review with which a drive goes on: the one it worked on, or another. */
export interface NextReview {
  state: DriveState;
  /** The review as it was just read. */
  review: Review;
}

/**
 * Takes the review of an earlier run, otherwise the holder of the slot, otherwise the head of the queue, which is promoted.
 *
 * @param left the state of an earlier run
 * @returns undefined if no review waits
 * @throws Failure GATED_ELSEWHERE if another drive gates the holder of the slot; OTHER_QUEUE if the review is not of the
 *   drive's target and repository
 */
export async function takeReview(
  context: DriveContext,
  left: DriveState | undefined,
): Promise<NextReview | undefined> {
  const { platform } = context;
  const { apiUrl } = platform.alias;
  if (left?.apiUrl === apiUrl) {
    const review = await getReview(platform.api, { reviewId: left.review.reviewId });
    try {
      requireOfQueue(review, context);
    } catch (error) {
      throw withSlotKept(context, left, error);
    }
    return { state: left, review };
  }
  const taken = await promoteOrFindHolder(context);
  if (!taken) return undefined;
  const { review } = taken;
  requireOfQueue(review, context);
  const { reviewId, name, sourceBranch, updatedAt } = review;
  const begun: DriveState = { apiUrl, review: { reviewId, name, sourceBranch }, takenAt: updatedAt };
  const state = taken.promoted ? begun : await takeFromSlot(context, begun);
  return { state, review };
}

interface SlotHolder {
  review: Review;
  /** Whether this call promoted it, so that no other drive can gate it yet. */
  promoted: boolean;
}

/** Promotes the head of the queue, or reads the holder of the slot. @throws Failure unresolved_threads */
async function promoteOrFindHolder(context: DriveContext): Promise<SlotHolder | undefined> {
  const { platform, repository, targetBranch } = context;
  try {
    const review = await advanceQueue(platform.api, { repository, targetBranch });
    return { review, promoted: true };
  } catch (error) {
    const refusal = error instanceof Failure ? undefined : apiFailure(error);
    if (refusal?.code === 'EMPTY_QUEUE') return undefined;
    const holder = refusal?.code === 'MERGE_QUEUE_OCCUPIED' ? refusal.details?.reviewId : undefined;
    if (typeof holder !== 'string') throw error;
    return { review: await getReview(platform.api, { reviewId: holder }), promoted: false };
  }
}

/** The state of a review that this drive did not promote: its landing needs only a report, or all steps are left. */
async function takeFromSlot(context: DriveContext, begun: DriveState): Promise<DriveState> {
  const landed = await findLandedState(context, begun);
  if (landed) return landed;
  const other = context.takeOver ? undefined : await otherGateRun(context, begun);
  if (other) throw gatedElsewhere(context, begun, other);
  return begun;
}
