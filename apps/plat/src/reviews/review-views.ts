import type { Review } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';

/** Reviews, one a line. */
export function reviewTable(reviews: readonly Review[]): Table {
  return {
    columns: ['REVIEW', 'STATUS', 'SOURCE', 'TARGET', 'NAME'],
    rows: reviews.map(({ reviewId, status, sourceBranch, targetBranch, name }) => [
      reviewId,
      status,
      sourceBranch,
      targetBranch,
      name,
    ]),
    whenEmpty: 'No review matches.',
  };
}

/** A queue, one review a line; a queue is what has one repository and one target branch. */
export function queueTable(reviews: readonly Review[]): Table {
  const queueOf = ({ repository, targetBranch }: Review) => `${targetBranch} ${repository ?? ''}`;
  const lengths = new Map<string, number>();
  const places = reviews.map((review) => {
    const place = (lengths.get(queueOf(review)) ?? 0) + 1;
    lengths.set(queueOf(review), place);
    return place;
  });
  return {
    columns: ['PLACE', 'TARGET', 'REVIEW', 'SOURCE', 'NAME'],
    rows: reviews.map((review, at) => [
      `${places[at]} of ${lengths.get(queueOf(review))}`,
      review.targetBranch,
      review.reviewId,
      review.sourceBranch,
      review.name,
    ]),
    whenEmpty: 'The queue is empty.',
  };
}

/** One review with all its fields, one a line. */
export function reviewDetails(review: Review): string {
  const fields = Object.entries(review).map(
    ([field, value]) => [field, printableLine(String(value))] as const,
  );
  const width = Math.max(...fields.map(([field]) => field.length));
  return fields.map(([field, value]) => `${field.padEnd(width)}  ${value}`).join('\n');
}

/** What just happened to a review, in one line. */
export function reviewLine({ reviewId, name, status }: Review): string {
  return printableLine(`${reviewId} is at ${status}: ${name}`);
}
