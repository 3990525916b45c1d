import { getReview, type ApiClient, type Review } from '@plat/api-client';
import { REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../terminal/failure';

const POLL_MILLISECONDS = 1000;
/** No review leaves these. */
const ENDS: readonly ReviewStatus[] = ['MERGED', 'CLOSED'];

export interface Waiting {
  reviewId: string;
  /** The wait is over at any of them. */
  until: readonly ReviewStatus[];
  timeoutMilliseconds: number;
}

/** Statuses with commas between them. @throws Failure INVALID_STATUS */
export function readStatuses(text: string): ReviewStatus[] {
  return text.split(',').map((word) => {
    const status = REVIEW_STATUSES.find((known) => known === word.trim().toUpperCase());
    if (status) return status;
    throw new Failure('INVALID_STATUS', `--until ${JSON.stringify(word)} is no status of a review.`, {
      next: `use ${REVIEW_STATUSES.join(', ')}`,
    });
  });
}

/** The review once it is at one of the statuses. @throws Failure TIMED_OUT, STATUS_OUT_OF_REACH */
export async function waitForStatus(api: ApiClient, { reviewId, until, ...rest }: Waiting): Promise<Review> {
  const deadline = Date.now() + rest.timeoutMilliseconds;
  for (;;) {
    const review = await getReview(api, { reviewId });
    if (until.includes(review.status)) return review;
    if (ENDS.includes(review.status)) throw unreached('STATUS_OUT_OF_REACH', review, 'and stays there');
    const left = deadline - Date.now();
    if (left <= 0) throw unreached('TIMED_OUT', review, 'still, when the time was up');
    await delay(Math.min(POLL_MILLISECONDS, left));
  }
}

function unreached(code: string, { reviewId, name, status }: Review, how: string): Failure {
  return new Failure(code, `"${name}" is at ${status}, ${how}.`, {
    details: { reviewId, status },
    next: `plat review show ${reviewId}`,
  });
}
