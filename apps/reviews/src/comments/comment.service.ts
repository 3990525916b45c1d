import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiError, invalidField, newId, notFound, type ThreadStatus } from '@plat/contracts/core';
import type { Comment, CreateComment } from '@plat/contracts/reviews';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, type ListAnswer, WIDE_PAGE_ROWS } from '@plat/service';
import {
  type CommentRow,
  holdReview,
  insertComment,
  lockComment,
  pageComments,
  updateThreadStatus,
} from './comment.queries';
import { toComment } from './comment.response';

/** Comment threads: a root and its replies at one line of one commit. Rule E1. */
@Injectable()
export class CommentService {
  constructor(private readonly database: Database) {}

  /** @throws NOT_FOUND */
  list(caller: Caller, reviewId: string): Promise<ListAnswer<Comment>> {
    return answerList({
      rowsMax: WIDE_PAGE_ROWS,
      page: (after, rows) => pageComments(this.database, caller, { reviewId, after, rows }),
      toItem: toComment,
    });
  }

  /** @throws NOT_FOUND, INVALID_BODY, CONFLICT */
  async create(caller: Caller, reviewId: string, body: CreateComment): Promise<Comment> {
    try {
      return await this.database.createIn(caller, async (tx) => {
        // The lock makes every later advance see the thread.
        if (!(await holdReview(tx, caller, reviewId))) throw notFound('review');
        await this.expectRoot(tx, caller, { ...body, reviewId });
        const [row] = await insertComment(tx, caller, { ...body, reviewId, commentId: newId() });
        return toComment(row!);
      });
    } catch (error) {
      if (!violates(error, 'comments_one_root')) throw error;
      throw new ApiError('CONFLICT', {
        message: 'There is a thread at that line of that commit; reply to it.',
      });
    }
  }

  /** @throws NOT_FOUND, BAD_REQUEST for a reply, FORBIDDEN for anyone but the root's author, ALREADY_CLOSED */
  updateStatus(
    caller: Caller,
    ids: { reviewId: string; commentId: string },
    status: ThreadStatus,
  ): Promise<Comment> {
    return this.database.transaction(caller, async (tx) => {
      if (status === 'OPEN') await holdReview(tx, caller, ids.reviewId);
      const [comment] = await lockComment(tx, caller, ids);
      if (!comment) throw notFound('comment');
      expectMayBecome(comment, caller, status);
      const [changed] = await updateThreadStatus(tx, caller, { commentId: ids.commentId, status });
      return toComment(changed!);
    });
  }

  /** A reply points at a root of the same review and repeats its address. */
  private async expectRoot(
    tx: EntityManager,
    caller: Caller,
    { reviewId, parentCommentId, ...address }: CreateComment & { reviewId: string },
  ): Promise<void> {
    if (parentCommentId === undefined) return;
    const [root] = await lockComment(tx, caller, { reviewId, commentId: parentCommentId });
    if (!root) throw notFound('comment');
    if (root.parent_comment_id !== null) {
      throw invalidField('parentCommentId', 'parentCommentId must name a root.');
    }
    const differing = (
      [
        ['commitId', root.commit_id === address.commitId],
        ['filePath', root.file_path === address.filePath],
        ['line', root.line === address.line],
      ] as const
    ).find(([, same]) => !same);
    if (differing) throw invalidField(differing[0], `${differing[0]} must be that of the thread.`);
  }
}

function expectMayBecome(comment: CommentRow, caller: Caller, status: ThreadStatus): void {
  if (comment.status === null) {
    throw new ApiError('BAD_REQUEST', { message: 'A reply has no status; its thread has.' });
  }
  if (comment.creator_user_id !== caller.userId) {
    throw new ApiError('FORBIDDEN', {
      message: "Only the author of a thread's root comment may close or reopen it.",
    });
  }
  if (status === 'CLOSED' && comment.status === 'CLOSED') throw new ApiError('ALREADY_CLOSED');
}
