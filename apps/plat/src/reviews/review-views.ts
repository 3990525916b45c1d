import type { Review } from '@plat/api-client';
import { findingLines, verdictText } from '../receipts/landing-text';
import { fieldLines } from '../terminal/field-lines';
import { printableLine, printableText } from '../terminal/printable';
import type { Column, Table } from '../terminal/table';
import { landedUndoneLines } from '../undone/landed-undone';
import { contentNotice, shownStatus } from './landed-content';
import type { ReviewFailure } from './review-failure';
import type { ReviewLanding } from './review-landing';

type Names = ReadonlyMap<string, string>;

/** Reviews, one a line, with the repository if there are several. */
export function reviewTable(reviews: readonly Review[], names: Names): Table {
  const several = new Set(reviews.map(({ repository }) => repository)).size > 1;
  const columns: ReviewColumn[] = [
    { column: { title: 'REVIEW', as: 'id' }, cell: ({ reviewId }) => reviewId },
    { column: { title: 'STATUS', as: 'status' }, cell: shownStatus },
    { column: { title: 'SOURCE', as: 'elastic' }, cell: ({ sourceBranch }) => sourceBranch },
    { column: 'TARGET', cell: ({ targetBranch }) => targetBranch },
    { column: { title: 'NAME', as: 'elastic' }, cell: ({ name }) => name },
    {
      column: { title: 'AUTHOR', as: 'id' },
      cell: ({ authorUserId }) => names.get(authorUserId) ?? authorUserId,
    },
    { column: { title: 'UPDATED', as: 'time' }, cell: ({ updatedAt }) => updatedAt },
  ];
  if (several) {
    columns.push({ column: { title: 'REPOSITORY', as: 'elastic' }, cell: ({ repository }) => repository });
  }
  return {
    columns: columns.map(({ column }) => column),
    rows: reviews.map((review) => columns.map(({ cell }) => cell(review))),
    whenEmpty: 'No review matches.',
  };
}

interface ReviewColumn {
  column: Column | string;
  cell(review: Review): string | undefined;
}

/** One review with all its fields, one a line, the reason of its failure, and how it landed. */
export function reviewDetails(
  review: Review & { failure?: ReviewFailure; landing?: ReviewLanding },
  names: Names,
): string {
  const { failure, landing, ...all } = review;
  const author = names.get(review.authorUserId);
  const fields = {
    ...all,
    authorUserId: author === undefined ? review.authorUserId : `${author} (${review.authorUserId})`,
  };
  return [
    fieldLines(fields, new Date()),
    ...(failure ? ['', failureText(failure)] : []),
    ...(landing ? ['', landingText(landing)] : []),
  ].join('\n');
}

/** Whether the landed content is the reviewed one, and where it differs. */
function landingText(landing: ReviewLanding): string {
  const { commitId = 'an unknown commit', landedCommitId } = landing;
  const brought = landedCommitId === undefined ? '' : `, which ${landedCommitId} had brought before it`;
  const head = printableLine(`Landed content of ${commitId}${brought}: ${verdictText(landing)}`);
  const undone = landedUndoneLines(landing.undoneWork);
  return [head, ...findingLines(landing).map((line) => `  ${line}`), ...undone].join('\n');
}

/** The latest change of a review, in one line. */
export function reviewLine(review: Review): string {
  const { reviewId, name, status } = review;
  const notice = contentNotice(review);
  const line = printableLine(`${reviewId} is at ${shownStatus({ ...review, status })}: ${name}`);
  return notice === undefined ? line : `${line}\n${printableLine(notice)}`;
}

/** Why a review is FAILED: the build, and its failure detail. */
export function failureText({ kind, commitId, at, failureDetail }: ReviewFailure): string {
  const which = kind === 'GATE' ? 'The gate build' : 'The build';
  const head = printableLine(
    `${which} of ${commitId} failed at ${at}${failureDetail === undefined ? '.' : ':'}`,
  );
  const detail = failureDetail === undefined ? [] : printableText(failureDetail).trimEnd().split('\n');
  return [head, ...detail.map((line) => `  ${line}`)].join('\n');
}
