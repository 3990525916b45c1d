import { type ApiClient, type Review, updateReviewStatus } from '@plat/api-client';
import { requireClaimedReview } from './claimed-review';

/** Closes a review that is not to be merged. @throws Failure ANSWER_CONTRADICTS */
export async function closeReview(api: ApiClient, reviewId: string): Promise<Review> {
  const status = 'CLOSED';
  return requireClaimedReview(await updateReviewStatus(api, { reviewId, body: { status } }), { status });
}
