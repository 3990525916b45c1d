import type { Comment } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';

/** Comments, one a line; a reply stands below its root. */
export function commentTable(comments: readonly Comment[]): Table {
  const roots = comments.filter(({ parentCommentId }) => parentCommentId === undefined);
  const threads = roots.flatMap((root) => [
    root,
    ...comments.filter(({ parentCommentId }) => parentCommentId === root.commentId),
  ]);
  return {
    columns: ['COMMENT', 'STATUS', 'WHERE', 'BODY'],
    rows: threads.map(({ commentId, status, filePath, line, body }) => [
      commentId,
      status ?? 'reply',
      `${filePath}:${line}`,
      body,
    ]),
    whenEmpty: 'There are no comments.',
  };
}

/** What just happened to a comment, in one line. */
export function commentLine({ commentId, status, filePath, line }: Comment): string {
  return printableLine(`${commentId} is ${status ?? 'a reply'} at ${filePath}:${line}`);
}
