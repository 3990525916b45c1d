import type { Comment } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';

/** Comments, one a line, each reply below its root. */
export function commentTable(comments: readonly Comment[], names: ReadonlyMap<string, string>): Table {
  const roots = comments.filter(({ parentCommentId }) => parentCommentId === undefined);
  const threads = roots.flatMap((root) => [
    root,
    ...comments.filter(({ parentCommentId }) => parentCommentId === root.commentId),
  ]);
  return {
    columns: [
      { title: 'COMMENT', as: 'id' },
      { title: 'STATUS', as: 'status' },
      { title: 'WHERE', as: 'elastic' },
      { title: 'BODY', as: 'elastic' },
      { title: 'AUTHOR', as: 'id' },
      { title: 'WRITTEN', as: 'time' },
    ],
    rows: threads.map(({ commentId, status, creatorUserId, filePath, line, body, createdAt }) => [
      commentId,
      status ?? 'reply',
      `${filePath}:${line}`,
      body,
      names.get(creatorUserId) ?? creatorUserId,
      createdAt,
    ]),
    whenEmpty: 'There are no comments.',
  };
}

/** The latest change of a comment, in one line. */
export function commentLine({ commentId, status, filePath, line }: Comment): string {
  return printableLine(`${commentId} is ${status ?? 'a reply'} at ${filePath}:${line}`);
}
