import type { Table } from '../terminal/table';
import type { DriveReport } from './drive';

/** What became of each review, one a line. */
export function driveView({ reviews }: DriveReport): Table {
  return {
    columns: ['REVIEW', 'OUTCOME', 'SOURCE', 'COMMIT', 'NAME', 'DETAIL'],
    rows: reviews.map(({ reviewId, outcome, sourceBranch, mergeCommit, name, detail }) => [
      reviewId,
      outcome,
      sourceBranch,
      mergeCommit?.slice(0, 12),
      name,
      detail?.split('\n')[0],
    ]),
    whenEmpty: 'The queue is empty.',
  };
}
