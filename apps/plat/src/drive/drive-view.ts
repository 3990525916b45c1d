import { testedText } from '../build/tested';
import { withContentMark } from '../reviews/landed-content';
import type { Table } from '../terminal/table';
import type { DriveReport } from './drive';
import type { DrivenReview, PullRequestEnd } from './drive-context';

/** The result of each review, one a line. */
export function driveView({ reviews }: { reviews: readonly DrivenReview[] }): Table {
  return {
    columns: [
      { title: 'REVIEW', as: 'id' },
      { title: 'OUTCOME', as: 'status' },
      { title: 'SOURCE', as: 'elastic' },
      { title: 'COMMIT', as: 'commit' },
      'PULL',
      { title: 'TESTED BY', as: 'elastic' },
      { title: 'NAME', as: 'elastic' },
      { title: 'DETAIL', as: 'below' },
    ],
    rows: reviews.map(
      ({
        reviewId,
        outcome,
        contentVerdict,
        sourceBranch,
        mergeCommit,
        pullRequest,
        tested,
        name,
        detail,
      }) => [
        reviewId,
        withContentMark(outcome, contentVerdict),
        sourceBranch,
        mergeCommit,
        pullRequestCell(pullRequest),
        tested && testedText(tested),
        name,
        detail?.split('\n')[0],
      ],
    ),
    whenEmpty: 'The queue is empty.',
  };
}

/** The reviews that a drive took and did not merge. */
export function unmergedReviews({ reviews }: DriveReport): DrivenReview[] {
  return reviews.filter(({ outcome }) => outcome !== 'MERGED' && outcome !== 'MERGED_ELSEWHERE');
}

/** The unmerged reviews with their reasons, for a person. */
export function unmergedText({ reviews }: DriveReport, unmerged: readonly DrivenReview[]): string {
  const lines = unmerged.map(
    ({ name, outcome, detail, reviewId }) =>
      `  "${name}" is ${outcome}${detail === undefined ? '' : `: ${detail.split('\n')[0]}`} (plat review show ${reviewId})`,
  );
  return [`Not merged: ${unmerged.length} of ${reviews.length}.`, ...lines].join('\n');
}

function pullRequestCell(end: PullRequestEnd | undefined): string | undefined {
  if (end === undefined) return undefined;
  return end.closed ? `#${end.number} closed` : 'not closed';
}
