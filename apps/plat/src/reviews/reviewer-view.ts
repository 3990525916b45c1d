import type { Reviewer } from '@plat/api-client';
import type { Table } from '../terminal/table';

/** Who is assigned, one a line; the name where the cached directory knows it. */
export function reviewerTable(reviewers: readonly Reviewer[], names: ReadonlyMap<string, string>): Table {
  return {
    columns: [{ title: 'USER', as: 'id' }, 'NAME', { title: 'ASSIGNED', as: 'time' }],
    rows: reviewers.map(({ userId, createdAt }) => [userId, names.get(userId), createdAt]),
    whenEmpty: 'Nobody is assigned.',
  };
}
