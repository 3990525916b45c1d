import type { Reviewer } from '@plat/api-client';
import type { Table } from '../terminal/table';

/** The assigned users, one a line, by name if the cached directory has it. */
export function reviewerTable(reviewers: readonly Reviewer[], names: ReadonlyMap<string, string>): Table {
  return {
    columns: [{ title: 'USER', as: 'id' }, 'NAME', { title: 'ASSIGNED', as: 'time' }],
    rows: reviewers.map(({ userId, createdAt }) => [userId, names.get(userId), createdAt]),
    whenEmpty: 'No one is assigned.',
  };
}
