import { getReview, type ApiClient, type Review } from '@plat/api-client';
import { REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { setTimeout as delay } from 'node:timers/promises';
import { isHiccup } from '../session/api-failure';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import type { ReviewFailure } from './review-failure';
import { failureText } from './review-views';

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
 * The review once it is at one of the statuses, or at another end. A call that the platform does not answer is made
 * again, until the time is up.
 *
 * @throws Failure TIMED_OUT with exit code 124, INTERRUPTED; what the platform refuses with
 */
export async function waitForStatus(api: ApiClient, waiting: Waiting): Promise<Review> {
  const { until, timeoutMilliseconds, interrupted } = waiting;
  const deadline = Date.now() + timeoutMilliseconds;
  for (;;) {
    interrupted.throwIfAborted();
    const left = deadline - Date.now();
    const review = await readUnlessGone(api, waiting.reviewId, left > 0);
    if (review && (until.includes(review.status) || isEnd(review.status, until))) return review;
    if (review && left <= 0) throw timedOut(review, until);
    await pause(Math.min(POLL_MILLISECONDS, Math.max(left, 0)), interrupted);
  }
}

/** Whether nothing leads on from the status to what is waited for: of a failed review, only another build does. */
function isEnd(status: ReviewStatus, until: readonly ReviewStatus[]): boolean {
  return ENDS.includes(status) || (status === 'FAILED' && !until.includes('READY'));
}

/** @throws Failure ENDED_ELSEWHERE, with what the failed build said */
export function requireReached(
  review: Review & { failure?: ReviewFailure },
  until: readonly ReviewStatus[],
): void {
  if (until.includes(review.status)) return;
  const { reviewId, name, status, failure } = review;
  const why = failure ? `\n${failureText(failure)}` : '';
  throw new Failure('ENDED_ELSEWHERE', `"${name}" is at ${status}, not at ${until.join(' or ')}.${why}`, {
    details: { reviewId, status, ...(failure && { failure }) },
    next: status === 'FAILED' ? `plat review builds ${reviewId}` : `plat review show ${reviewId}`,
  });
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

function timedOut({ reviewId, name, status }: Review, until: readonly ReviewStatus[]): Failure {
  return new Failure(
    'TIMED_OUT',
    `"${name}" is still at ${status}, not at ${until.join(' or ')}: the time is up.`,
    {
      details: { reviewId, status },
      next: `plat review show ${reviewId}, or wait longer with --timeout <duration>`,
      exitCode: ExitCode.timedOut,
    },
  );
}
