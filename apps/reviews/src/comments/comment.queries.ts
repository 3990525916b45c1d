import type { ThreadStatus } from '@plat/contracts/core';
import type { CreateComment } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';
import type { EntityManager } from 'typeorm';

/** A row of reviews.comments. Timestamps are RFC 3339 UTC. */
export interface CommentRow {
  tenant_id: string;
  comment_id: string;
  review_id: string;
  creator_user_id: string;
  parent_comment_id: string | null;
  /** Of a root; null on a reply. */
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
  return database.call(scope, {
    name: 'reviews.page_comments',
    args: [reviewId, ...place.map((value) => value ?? null), rows],
  });
}

/** One comment of a review, kept from changing until the transaction ends. */
export function lockComment(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, commentId }: { reviewId: string; commentId: string },
): Promise<CommentRow[]> {
  return tx.query(
    'SELECT * FROM reviews.comments WHERE tenant_id = $1 AND review_id = $2 AND comment_id = $3 FOR NO KEY UPDATE',
    [scope.tenantId, reviewId, commentId],
  );
}

/** Keeps a promotion of the review waiting until the transaction ends; whether the tenant has such a review. */
export async function holdReview(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }[]>('SELECT reviews.hold_review($1, $2) AS held', [
    scope.tenantId,
    reviewId,
  ]);
  return row!.held;
}

/** A root opens a thread; the unique index refuses a second one at the same address. */
export function insertComment(
  tx: EntityManager,
  scope: TenantScope,
  comment: CreateComment & { reviewId: string; commentId: string },
): Promise<CommentRow[]> {
  const { commentId, reviewId, parentCommentId = null, commitId, filePath, line, body } = comment;
  return tx.query(
    `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                   commit_id, file_path, line, body)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $5::uuid IS NULL THEN 'OPEN' END, $6, $7, $8, $9) RETURNING *`,
    [scope.tenantId, commentId, reviewId, scope.userId, parentCommentId, commitId, filePath, line, body],
  );
}

export async function updateThreadStatus(
  tx: EntityManager,
  scope: TenantScope,
  { commentId, status }: { commentId: string; status: ThreadStatus },
): Promise<CommentRow> {
  const [rows] = await tx.query<[CommentRow[], number]>(
    `UPDATE reviews.comments SET status = $3, updated_at = clock_timestamp()
      WHERE tenant_id = $1 AND comment_id = $2 RETURNING *`,
    [scope.tenantId, commentId, status],
  );
  return rows[0]!;
}
