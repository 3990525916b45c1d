import { type AdvanceMergeQueue, advanceMergeQueue, type ApiClient, type Review } from '@plat/api-client';
import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';

/**
 * Promotes the head of a queue.
 *
 * @throws Failure unresolved_threads, with the next steps for this queue
 */
export async function advanceQueue(api: ApiClient, queue: AdvanceMergeQueue): Promise<Review> {
  try {
    return await advanceMergeQueue(api, { body: queue });
  } catch (error) {
    const refusal = apiFailure(error);
    const reviewId = refusal?.details?.reviewId;
    if (refusal?.code !== 'unresolved_threads' || typeof reviewId !== 'string') throw error;
    const { code, message, details, requestId } = refusal;
    throw new Failure(code, message, { details: { ...details }, requestId, next: waysOn(reviewId, queue) });
  }
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
