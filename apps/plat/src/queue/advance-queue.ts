import {
  type AdvanceMergeQueue,
  advanceMergeQueue,
  type ApiClient,
  overrideAdvanceMergeQueue,
  type Review,
} from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { requireClaimedReview } from '../reviews/claimed-review';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { requireOfQueue } from './own-queue';

/**
 * Promotes the head of a queue.
 *
 * @throws Failure unresolved_threads, with the next steps for this queue; ANSWER_CONTRADICTS, OTHER_QUEUE
 */
export async function advanceQueue(api: ApiClient, queue: AdvanceMergeQueue): Promise<Review> {
  try {
    return requirePromoted(await advanceMergeQueue(api, { body: queue }), queue);
  } catch (error) {
    const refusal = apiFailure(error);
    const reviewId = refusal?.details?.reviewId;
    if (refusal?.code !== 'unresolved_threads' || typeof reviewId !== 'string') throw error;
    const { code, message, details, requestId } = refusal;
    throw new Failure(code, message, { details: { ...details }, requestId, next: waysOn(reviewId, queue) });
  }
}

/** Promotes the head of a queue although it has unresolved threads. @throws Failure ANSWER_CONTRADICTS, OTHER_QUEUE */
export async function overrideAdvanceQueue(
  api: ApiClient,
  { reason, ...queue }: AdvanceMergeQueue & { reason: string },
): Promise<Review> {
  return requirePromoted(await overrideAdvanceMergeQueue(api, { body: { ...queue, reason } }), queue);
}

function requirePromoted(review: Review, queue: AdvanceMergeQueue): Review {
  requireOfQueue(review, queue);
  return requireClaimedReview(review, { status: 'MERGE' });
}

function waysOn(reviewId: string, { repository, targetBranch }: AdvanceMergeQueue): NextStep {
  const which = [
    '--target-branch',
    targetBranch,
    ...(repository === undefined ? [] : ['--repository', repository]),
  ];
  return nextStep(
    'plat review comments',
    [reviewId],
    'shows the threads, which their authors close; or: plat review queue override-advance',
    which,
    '--reason <text>',
  );
}
