import type { Reviewer } from '@plat/api-client';
import type { UserDirectory } from '../session/user-directory';
import type { Table } from '../terminal/table';

/** Who is assigned, one a line; the name where the cached directory knows it. */
export function reviewerTable(reviewers: readonly Reviewer[], directory: UserDirectory | undefined): Table {
  const names = new Map(directory?.users.map(({ userId, username }) => [userId, username]));
  return {
    columns: ['USER', 'NAME', 'ASSIGNED'],
    rows: reviewers.map(({ userId, createdAt }) => [userId, names.get(userId), createdAt]),
    whenEmpty: 'Nobody is assigned.',
  };
}
