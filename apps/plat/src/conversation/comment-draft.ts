import { type ApiClient, type CreateComment, listComments } from '@plat/api-client';
import { isBlank, isCommitId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** A comment, from the command line. */
export interface CommentInput {
  reviewId: string;
  body: string;
  /** The thread to reply to; a reply has its address. */
  replyTo?: string;
  /** The address of a new thread. */
  commitId?: string;
  filePath?: string;
  line?: number;
}

/** Refuses invalid input before any call. @throws Failure BLANK_BODY, ADDRESS_REQUIRED, INVALID_COMMIT_ID */
export function requireWritable({
  body,
  replyTo,
  commitId,
  filePath,
  line,
}: Omit<CommentInput, 'reviewId'>): void {
  if (isBlank(body)) {
    throw new Failure('BLANK_BODY', 'The comment is blank.', { next: 'give the text with --body' });
  }
  if (replyTo !== undefined) return;
  if (filePath === undefined || line === undefined) {
    throw new Failure('ADDRESS_REQUIRED', 'A thread has an address: a file and a line.', {
      next: 'add --file <path> --line <number>, or --reply-to <comment_id>',
    });
  }
  if (commitId !== undefined && !isCommitId(commitId)) {
    throw new Failure(
      'INVALID_COMMIT_ID',
      `--commit-id ${commitId} is not a full commit id of 40 lowercase hex digits.`,
      { next: 'git rev-parse <revision>' },
    );
  }
}

/**
 * The body of the call: a reply repeats the address of its root. Rule E1.
 *
 * @param commitId the commit of a new thread
 * @throws Failure NO_SUCH_THREAD
 */
export async function commentBody(
  api: ApiClient,
  input: CommentInput,
  commitId: () => Promise<string>,
): Promise<CreateComment> {
  const { reviewId, replyTo, body } = input;
  if (replyTo === undefined) {
    return { commitId: await commitId(), filePath: input.filePath ?? '', line: input.line ?? 0, body };
  }
  const root = (await listComments(api, { reviewId })).find(
    ({ commentId, parentCommentId }) => commentId === replyTo.toLowerCase() && parentCommentId === undefined,
  );
  if (!root) {
    throw new Failure('NO_SUCH_THREAD', `The review has no thread ${replyTo}.`, {
      next: nextStep('plat review comments', [reviewId]),
    });
  }
  return {
    parentCommentId: root.commentId,
    commitId: root.commitId,
    filePath: root.filePath,
    line: root.line,
    body,
  };
}
