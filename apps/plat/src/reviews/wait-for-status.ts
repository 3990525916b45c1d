import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, getReview, type Held, type Review, Unchanged } from '@plat/api-client';
import { REVIEW_STATUSES, type ReviewStatus, WAIT_SECONDS_MAX } from '@plat/contracts/core';
import { isHiccup } from '../failures/api-failure';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { listOf, nextStep } from '../terminal/next-step';
import { withVerdict } from './landed-content';
import { type ReviewFailure, withFailure } from './review-failure';
import { reviewIdOf } from './review-id';
import { failureText } from './review-views';
import { type TimedWait, WaitingTime } from './waiting-time';

/** Shortest time between two calls: of a platform that answers at once, and never of one that waits for a change. */
const POLL_MILLISECONDS = 1000;
/** Final statuses. */
const ENDS: readonly ReviewStatus[] = ['MERGED', 'CLOSED'];

/** Statuses with commas between them. @throws Failure INVALID_STATUS */
export function readStatuses(text: string): ReviewStatus[] {
  return text.split(',').map((word) => {
    const status = REVIEW_STATUSES.find((known) => known === word.trim().toUpperCase());
    if (status) return status;
    throw new Failure('INVALID_STATUS', `--until ${JSON.stringify(word)} is no status of a review.`, {
      next: nextStep('use', listOf(REVIEW_STATUSES)),
    });
  });
}

/** The awaited review, with the reason of its failure if it failed. */
type Ended = Review & { failure?: ReviewFailure };

/**
 * Waits until the review has one of the statuses, or one at which the wait is in vain. The platform answers when the
 * review has changed; one that does not know how to wait is asked once a second. Repeats a call that the
 * platform does not answer until the time is up. Pending calls end with the wait, so that a silent platform does not
 * prolong it.
 *
 * @throws Failure TIMED_OUT with exit code 124, INTERRUPTED; any refusal of the platform
 */
export async function waitForStatus(api: ApiClient, waiting: TimedWait): Promise<Ended> {
  const { until, interrupted } = waiting;
  const time = new WaitingTime(api, waiting);
  const reviewId = await time.call((calls) => reviewIdOf(calls, waiting.review));
  const known: Known = { held: { waitSeconds: 0 } };
  for (;;) {
    interrupted.throwIfAborted();
    const left = time.left();
    const askedAt = performance.now();
    const review = await readUnlessGone(time, { reviewId, known, mayMiss: left > 0 });
    if (review && (until.includes(review.status) || isEnd(review.status, until))) {
      return withReason(time, review);
    }
    if (review && left <= 0) throw time.isUp();
    const since = performance.now() - askedAt;
    await pause(Math.max(Math.min(POLL_MILLISECONDS - since, time.left()), 0), interrupted);
  }
}

/** Adds the reason of a failure, or the verdict on what landed, if the platform answers in time; the end itself does not depend on it. */
async function withReason(time: WaitingTime, review: Review): Promise<Ended> {
  try {
    return await time.call(async (calls) => withFailure(calls, await withVerdict(calls, review)));
  } catch (error) {
    if (error instanceof Failure && error.exitCode === ExitCode.timedOut) return review;
    throw error;
  }
}

/**
 * Whether the wait is in vain: the status is final; or it is FAILED, which only another build changes, and READY is
 * not awaited.
 */
function isEnd(status: ReviewStatus, until: readonly ReviewStatus[]): boolean {
  return ENDS.includes(status) || (status === 'FAILED' && !until.includes('READY'));
}

/** @throws Failure ENDED_ELSEWHERE, with the failed build's detail */
export function requireReached(
  review: Review & { failure?: ReviewFailure },
  until: readonly ReviewStatus[],
): void {
  if (until.includes(review.status)) return;
  const { reviewId, name, status, failure } = review;
  const why = failure ? `\n${failureText(failure)}` : '';
  throw new Failure('ENDED_ELSEWHERE', `"${name}" is at ${status}, not at ${until.join(' or ')}.${why}`, {
    details: { reviewId, status, failure },
    next:
      status === 'FAILED'
        ? nextStep('plat review builds', [reviewId])
        : nextStep('plat review show', [reviewId]),
  });
}

/** The review as it was last read. */
interface Known {
  held: Held;
  review?: Review;
}

interface Reading {
  reviewId: string;
  known: Known;
  /** Whether the platform may fail to answer. */
  mayMiss: boolean;
}

/** @returns undefined if the platform did not answer and `mayMiss` is set */
async function readUnlessGone(
  time: WaitingTime,
  { reviewId, known, mayMiss }: Reading,
): Promise<Review | undefined> {
  const { held } = known;
  held.waitSeconds = Math.min(Math.floor(Math.max(time.left(), 0) / 1000), WAIT_SECONDS_MAX);
  try {
    const review = await time.call((calls) => getReview(calls.unlessHeld(held), { reviewId }));
    time.found(review);
    known.review = review;
    return review;
  } catch (error) {
    if (error instanceof Unchanged) return known.review;
    if (mayMiss && isHiccup(error)) return undefined;
    throw error;
  }
}

/** Resolves early and silently if the wait ends for another reason. */
async function pause(milliseconds: number, interrupted: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: interrupted }).catch(() => undefined);
}
