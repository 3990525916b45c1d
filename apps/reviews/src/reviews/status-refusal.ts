import { ApiError, invalidField, type ReviewStatus } from '@plat/contracts/core';
import { type ReviewRefusal, validTargetsByPatch } from '@plat/lifecycle';
import type { ReviewRow } from './review.queries';

/** The answer to a move that the state machine refuses. */
export function refusalOfMove(
  review: Pick<ReviewRow, 'review_id' | 'status'>,
  to: ReviewStatus,
  refusal: ReviewRefusal,
): ApiError {
  switch (refusal.code) {
    case 'INVALID_BODY':
      return invalidField('buildId', `buildId is required to report ${to}.`);
    case 'REVIEW_NOT_MERGING':
      return new ApiError('REVIEW_NOT_MERGING', {
        message: `Only a review at MERGE can be requeued, this one is at ${review.status}; otherwise READY names a buildId.`,
        details: { reviewId: review.review_id, status: review.status },
      });
    case 'INVALID_TRANSITION':
      return new ApiError('INVALID_TRANSITION', {
        message:
          to === 'MERGE'
            ? 'Only the merge queue moves a review to MERGE; advance it.'
            : `A review at ${review.status} cannot be moved to ${to}.`,
        details: { from: review.status, to, validTargets: validTargetsByPatch(review.status) },
      });
  }
}
