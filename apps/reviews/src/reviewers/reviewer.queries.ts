import type { Database, TenantScope } from '@plat/database';

/** A row of reviews.reviewers. Timestamps are RFC 3339 UTC. */
export interface ReviewerRow {
  tenant_id: string;
  review_id: string;
  user_id: string;
  created_at: string;
  updated_at: string;
}

/** A review's reviewers, oldest assignment first. @throws NOT_FOUND */
export function pageReviewers(
  database: Database,
  scope: TenantScope,
  { reviewId, after, rows }: { reviewId: string; after: ReviewerRow | undefined; rows: number },
): Promise<ReviewerRow[]> {
  const place = [after?.created_at, after?.user_id];
  return database.page(scope, {
    name: 'reviews.page_reviewers',
    args: [reviewId, ...place.map((value) => value ?? null), rows],
  });
}

/** The foreign keys refuse a review or a user that is not the tenant's, the primary key a second assignment. */
export function insertReviewer(
  database: Database,
  scope: TenantScope,
  { reviewId, userId }: { reviewId: string; userId: string },
): Promise<ReviewerRow[]> {
  return database.call(scope, { name: 'reviews.add_reviewer', args: [reviewId, userId] });
}

/** Deletes an assignment. @returns whether it existed */
export async function deleteReviewer(
  database: Database,
  scope: TenantScope,
  { reviewId, userId }: { reviewId: string; userId: string },
): Promise<boolean> {
  const [row] = await database.call<{ removed: boolean }>(scope, {
    name: 'reviews.remove_reviewer',
    args: [reviewId, userId],
    select: 'f AS removed',
  });
  return row!.removed;
}
