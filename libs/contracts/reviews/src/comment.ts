import { FILE_PATH_LENGTH_MAX, THREAD_STATUSES, type ThreadStatus } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** A comment as every route answers it. Rule E1. */
export class Comment {
  @Field(rules.id, { description: 'Assigned by the service' })
  commentId!: string;

  @Field(rules.id, { description: 'The tenant that the comment belongs to' })
  tenantId!: string;

  @Field(rules.id, { description: 'The review that is commented on' })
  reviewId!: string;

  @Field(rules.id, { description: 'Who wrote it' })
  creatorUserId!: string;

  @Field(rules.oneOf(THREAD_STATUSES), {
    description: 'Status of the thread; present on its root comment only',
    optional: true,
  })
  status?: ThreadStatus;

  @Field(rules.id, { description: 'The root that a reply belongs to', optional: true })
  parentCommentId?: string;

  @Field(rules.commitId, { description: 'The commit that is commented on' })
  commitId!: string;

  @Field(rules.text(FILE_PATH_LENGTH_MAX), { description: 'Path in the repository', example: 'src/clock.ts' })
  filePath!: string;

  @Field(rules.lineNumber, { description: 'Line of the file, from 1' })
  line!: number;

  @Field(rules.commentBody, { description: 'Text of the comment' })
  body!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/reviews/{review_id}/comments. */
export class CreateComment {
  @Field(rules.id, { description: 'The root to reply to; a reply repeats its address', optional: true })
  parentCommentId?: string;

  @Field(rules.commitId, { description: 'The commit that is commented on' })
  commitId!: string;

  @Field(rules.text(FILE_PATH_LENGTH_MAX), { description: 'Path in the repository', example: 'src/clock.ts' })
  filePath!: string;

  @Field(rules.lineNumber, { description: 'Line of the file, from 1' })
  line!: number;

  @Field(rules.commentBody, { description: 'Text of the comment' })
  body!: string;
}

/** Body of PATCH /v1/reviews/{review_id}/comments/{comment_id}/status. */
export class UpdateCommentStatus {
  @Field(rules.oneOf(THREAD_STATUSES), { description: 'CLOSED resolves the thread, OPEN reopens it' })
  status!: ThreadStatus;
}
