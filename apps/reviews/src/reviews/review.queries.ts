import type { ContentVerdict, ReviewCause, ReviewStatus } from '@plat/contracts/core';
import type { CreateReview, ReviewFilters } from '@plat/contracts/reviews';
import type { Database, KeyedScope, TenantScope } from '@plat/database';

/** A row of reviews.reviews. Timestamps are RFC 3339 UTC. */
export interface ReviewRow {
  tenant_id: string;
  review_id: string;
  author_user_id: string;
  name: string;
  repository: string | null;
  target_branch: string;
  source_branch: string;
  status: ReviewStatus;
  last_failed_build_id: string | null;
  last_ready_build_id: string | null;
  last_merged_build_id: string | null;
  created_at: string;
  updated_at: string;
}

/** The verdicts on the content of landings, by review. */
export async function readContentVerdicts(
  database: Database,
  scope: TenantScope,
  reviewIds: readonly string[],
): Promise<ReadonlyMap<string, ContentVerdict>> {
  if (reviewIds.length === 0) return new Map();
  const rows = await database.call<{ review_id: string; content_verdict: ContentVerdict }>(scope, {
    name: 'reviews.content_verdicts',
    args: [reviewIds],
  });
  return new Map(rows.map((row) => [row.review_id, row.content_verdict]));
}

export function insertReview(
  database: Database,
  scope: KeyedScope,
  review: CreateReview & { reviewId: string },
): Promise<ReviewRow[]> {
  const { reviewId, name, repository = null, sourceBranch, targetBranch } = review;
  return database.create(scope, {
    name: 'reviews.create_review',
    args: [reviewId, scope.userId, name, repository, sourceBranch, targetBranch],
  });
}

export function findReview(database: Database, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return database.find(scope, { name: 'reviews.get_review', args: [reviewId] });
}

/** The reviews after `after`, newest first. The filters' repository is canonical already. */
export function pageReviews(
  database: Database,
  scope: TenantScope,
  { filters, after, rows }: { filters: ReviewFilters; after: ReviewRow | undefined; rows: number },
): Promise<ReviewRow[]> {
  const { repository, targetBranch, sourceBranch, status, authorUserId, reviewerUserId, mergedCommitId } =
    filters;
  const args = [repository, targetBranch, sourceBranch, status, authorUserId, reviewerUserId, mergedCommitId];
  const place = [after?.created_at, after?.review_id];
  return database.page(scope, {
    name: 'reviews.page_reviews',
    args: [...[...args, ...place].map((value) => value ?? null), rows],
  });
}

/** A move of a review. A review begins with its creation, which has version 0 and comes from no status. */
export interface ReviewEventRow {
  moved_at: string;
  from_status: ReviewStatus | null;
  to_status: ReviewStatus;
  cause: ReviewCause;
  actor_user_id: string;
  actor_username: string;
  build_id: string | null;
  reason: string | null;
  ticket: number | null;
  queue_version: number;
}

/** The moves of a review below a version of its queue, newest first. @throws NOT_FOUND */
export function pageHistory(
  database: Database,
  scope: TenantScope,
  { reviewId, before = null, rows }: { reviewId: string; before?: string | null | undefined; rows: number },
): Promise<ReviewEventRow[]> {
  return database.call(scope, { name: 'reviews.page_history', args: [reviewId, before, rows] });
}
