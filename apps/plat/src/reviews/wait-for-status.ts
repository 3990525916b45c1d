import { getReview, type ApiClient, type Review } from '@plat/api-client';
import { REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { setTimeout as delay } from 'node:timers/promises';
import { isHiccup } from '../session/api-failure';
import { Failure } from '../terminal/failure';

const POLL_MILLISECONDS = 1000;
/** No review leaves these. */
const ENDS: readonly ReviewStatus[] = ['MERGED', 'CLOSED'];

export interface Waiting {
  reviewId: string;
  /** The wait is over at any of them. */
  until: readonly ReviewStatus[];
  timeoutMilliseconds: number;
  /** Ends the wait. */
  interrupted: AbortSignal;
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

/**
 * The review once it is at one of the statuses. A call that the platform does not answer is made again, until the
 * time is up.
 *
 * @throws Failure TIMED_OUT, STATUS_OUT_OF_REACH, INTERRUPTED; what the platform refuses with
 */
export async function waitForStatus(api: ApiClient, waiting: Waiting): Promise<Review> {
  const { until, timeoutMilliseconds, interrupted } = waiting;
  const deadline = Date.now() + timeoutMilliseconds;
  for (;;) {
    interrupted.throwIfAborted();
    const left = deadline - Date.now();
    const review = await readUnlessGone(api, waiting.reviewId, left > 0);
    if (review && until.includes(review.status)) return review;
    if (review && ENDS.includes(review.status))
      throw unreached('STATUS_OUT_OF_REACH', review, 'and stays there');
    if (review && left <= 0) throw unreached('TIMED_OUT', review, 'still, when the time was up');
    await pause(Math.min(POLL_MILLISECONDS, Math.max(left, 0)), interrupted);
  }
}

/** @returns undefined when the platform did not answer and `mayMiss` */
async function readUnlessGone(
  api: ApiClient,
  reviewId: string,
  mayMiss: boolean,
): Promise<Review | undefined> {
  try {
    return await getReview(api, { reviewId });
  } catch (error) {
    if (mayMiss && isHiccup(error)) return undefined;
    throw error;
  }
}

/** Ends early, without a word, when the wait is over for another reason. */
async function pause(milliseconds: number, interrupted: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: interrupted }).catch(() => undefined);
}

function unreached(code: string, { reviewId, name, status }: Review, how: string): Failure {
  return new Failure(code, `"${name}" is at ${status}, ${how}.`, {
    details: { reviewId, status },
    next: `plat review show ${reviewId}`,
  });
}
