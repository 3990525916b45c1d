import { type ApiClient, getReview, type Review, updateReviewStatus } from '@plat/api-client';
import { requireClaimedReview } from '../reviews/claimed-review';
import { wayOn } from '../reviews/way-on';
import { Failure } from '../terminal/failure';

/**
 * Returns the review, if it may be put back to the tail of its queue: it must hold the slot.
 * Spec: Client, plat review requeue.
 *
 * @throws Failure REVIEW_NOT_MERGING, with its status
 */
export async function requireMerging(api: ApiClient, reviewId: string): Promise<Review> {
  const review = await getReview(api, { reviewId });
  if (review.status === 'MERGE') return review;
  throw new Failure(
    'REVIEW_NOT_MERGING',
    `The review "${review.name}" is at ${review.status}, not at MERGE.`,
    {
      details: { reviewId, status: review.status },
      next: wayOn(review),
    },
  );
}

/** Puts the review at MERGE back to the tail of its queue. @throws Failure REVIEW_NOT_MERGING, ANSWER_CONTRADICTS */
export async function requeue(api: ApiClient, reviewId: string): Promise<Review> {
  await requireMerging(api, reviewId);
  const status = 'READY';
  return requireClaimedReview(await updateReviewStatus(api, { reviewId, body: { status } }), { status });
}
