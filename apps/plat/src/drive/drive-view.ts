import type { Table } from '../terminal/table';
import type { PullRequestEnd } from './drive-context';
import type { DriveReport } from './drive';

/** What became of each review, one a line. */
export function driveView({ reviews }: DriveReport): Table {
  return {
    columns: ['REVIEW', 'OUTCOME', 'SOURCE', 'COMMIT', 'PULL', 'NAME', 'DETAIL'],
    rows: reviews.map(({ reviewId, outcome, sourceBranch, mergeCommit, pullRequest, name, detail }) => [
      reviewId,
      outcome,
      sourceBranch,
      mergeCommit?.slice(0, 12),
      pullRequestCell(pullRequest),
      name,
      detail?.split('\n')[0],
    ]),
    whenEmpty: 'The queue is empty.',
  };
}

function pullRequestCell(end: PullRequestEnd | undefined): string | undefined {
  if (end === undefined) return undefined;
  return end.closed ? `#${end.number} closed` : 'not closed';
}
