import type { TenantScope } from '@plat/database';
import type { EntityManager } from 'typeorm';

/** A row of reviews.reviewers. Timestamps are RFC 3339 UTC. */
export interface ReviewerRow {
  tenant_id: string;
  review_id: string;
  user_id: string;
  created_at: string;
  updated_at: string;
}

/** Whether the caller may see a review of that id. */
export async function reviewExists(
  tx: EntityManager,
  scope: TenantScope,
  reviewId: string,
): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }[]>('SELECT reviews.review_exists($1, $2) AS found', [
    scope.tenantId,
    reviewId,
  ]);
  return row!.found;
}

/** A review's reviewers, oldest assignment first. */
export function listReviewers(tx: EntityManager, reviewId: string): Promise<ReviewerRow[]> {
  return tx.query('SELECT * FROM reviews.reviewers WHERE review_id = $1 ORDER BY created_at, user_id', [
    reviewId,
  ]);
}

/** The foreign keys refuse a review or a user that is not the tenant's, the primary key a second assignment. */
export function insertReviewer(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, userId }: { reviewId: string; userId: string },
): Promise<ReviewerRow[]> {
  return tx.query(
    'INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES ($1, $2, $3) RETURNING *',
    [scope.tenantId, reviewId, userId],
  );
}

/** Whether there was an assignment to take back. */
export async function deleteReviewer(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, userId }: { reviewId: string; userId: string },
): Promise<boolean> {
  const [, count] = await tx.query<[unknown[], number]>(
    'DELETE FROM reviews.reviewers WHERE tenant_id = $1 AND review_id = $2 AND user_id = $3',
    [scope.tenantId, reviewId, userId],
  );
  return count > 0;
}
