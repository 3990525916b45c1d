import type { Comment } from '@plat/contracts/reviews';
import type { CommentRow } from './comment.queries';

/** The response for a row, without unset fields. */
export function toComment(row: CommentRow): Comment {
  return {
    commentId: row.comment_id,
    tenantId: row.tenant_id,
    reviewId: row.review_id,
    creatorUserId: row.creator_user_id,
    status: row.status ?? undefined,
    parentCommentId: row.parent_comment_id ?? undefined,
    commitId: row.commit_id,
    filePath: row.file_path,
    line: row.line,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
