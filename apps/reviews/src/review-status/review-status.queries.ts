import type { EntityManager } from 'typeorm';
import type { TenantScope } from '@plat/database';
import type { ReviewRow } from '../reviews/review.queries';

/** Takes the lock of the review's queue and reads the review under it. Lock order: queue, then review. */
export function beginMove(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.begin_move($1, $2)', [scope.tenantId, reviewId]);
}

/** A move for which the caller names a build. */
interface MoveByBuild {
  reviewId: string;
  buildId: string;
}

/** Moves the review to READY, at the tail. @throws NOT_FOUND for a build of another review, or one that failed */
export function readyByBuild(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, buildId }: MoveByBuild,
): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.ready_by_build($1, $2, $3)', [scope.tenantId, reviewId, buildId]);
}

/** Moves the review to FAILED. @throws NOT_FOUND for a build of another review, or one that succeeded */
export function failByBuild(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, buildId }: MoveByBuild,
): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.fail_by_build($1, $2, $3)', [scope.tenantId, reviewId, buildId]);
}

/** Moves the review from MERGE back to READY, at the tail. */
export function requeue(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.requeue($1, $2)', [scope.tenantId, reviewId]);
}

export function closeReview(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.close_review($1, $2)', [scope.tenantId, reviewId]);
}
