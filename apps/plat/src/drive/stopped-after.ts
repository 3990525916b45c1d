import { apiFailure } from '../failures/api-failure';
import { Failure } from '../terminal/failure';
import type { DrivenReview } from './drive-context';

/** The reviews that ended before the error stopped the drive. */
export function findEndedReviews(error: unknown): DrivenReview[] {
  const { reviews } = (error instanceof Failure && error.details) || {};
  return Array.isArray(reviews) ? (reviews as DrivenReview[]) : [];
}

/** Adds the reviews that ended before it to the error with which a drive stops. */
export function withEndedReviews(reviews: readonly DrivenReview[], error: unknown): unknown {
  const failure = error instanceof Failure ? error : apiFailure(error);
  if (!failure) return error;
  const { code, message, details, next, requestId, exitCode } = failure;
  // The review at which it stopped may have ended as well.
  const all = { ...details, reviews: [...reviews, ...findEndedReviews(failure)] };
  return new Failure(code, message, { details: all, next, requestId, exitCode });
}
