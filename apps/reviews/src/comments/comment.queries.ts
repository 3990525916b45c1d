import type { EntityManager } from 'typeorm';
import type { ThreadStatus } from '@plat/contracts/core';
import type { CreateComment } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';

/** A row of reviews.comments. Timestamps are RFC 3339 UTC. */
export interface CommentRow {
  tenant_id: string;
  comment_id: string;
  review_id: string;
  creator_user_id: string;
  parent_comment_id: string | null;
  /** The status of a root's thread; null on a reply. */
  status: ThreadStatus | null;
  commit_id: string;
  file_path: string;
  line: number;
  body: string;
  created_at: string;
  updated_at: string;
}

/** A review's comments by address, each thread in the order it was written. @throws NOT_FOUND */
export function pageComments(
  database: Database,
  scope: TenantScope,
  { reviewId, after, rows }: { reviewId: string; after: CommentRow | undefined; rows: number },
): Promise<CommentRow[]> {
  const place = [after?.commit_id, after?.file_path, after?.line, after?.created_at, after?.comment_id];
  return database.page(scope, {
    name: 'reviews.page_comments',
    args: [reviewId, ...place.map((value) => value ?? null), rows],
  });
}

/** Reads one comment of a review and locks it until the transaction ends. */
export function lockComment(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, commentId }: { reviewId: string; commentId: string },
): Promise<CommentRow[]> {
  return tx.query('SELECT * FROM reviews.lock_comment($1, $2, $3)', [scope.tenantId, reviewId, commentId]);
}

/** Locks a review until the transaction ends, so that its promotion waits. @returns whether the tenant has it */
export async function holdReview(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }[]>('SELECT reviews.hold_review($1, $2) AS held', [
    scope.tenantId,
    reviewId,
  ]);
  return row!.held;
}

/** Inserts the caller's comment. A root opens a thread; the unique index refuses a second one at the same address. */
export function insertComment(
  tx: EntityManager,
  scope: TenantScope,
  comment: CreateComment & { reviewId: string; commentId: string },
): Promise<CommentRow[]> {
  const { commentId, reviewId, parentCommentId = null, commitId, filePath, line, body } = comment;
  return tx.query('SELECT * FROM reviews.create_comment($1, $2, $3, $4, $5, $6, $7, $8)', [
    scope.tenantId,
    commentId,
    reviewId,
    parentCommentId,
    commitId,
    filePath,
    line,
    body,
  ]);
}

/** Closes or reopens a thread. Returns no row unless the caller opened it. */
export function updateThreadStatus(
  tx: EntityManager,
  scope: TenantScope,
  { commentId, status }: { commentId: string; status: ThreadStatus },
): Promise<CommentRow[]> {
  return tx.query('SELECT * FROM reviews.set_thread_status($1, $2, $3)', [scope.tenantId, commentId, status]);
}
