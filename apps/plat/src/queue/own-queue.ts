import type { Review } from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** A queue; without a repository any of the target branch. */
export interface Queue {
  targetBranch: string;
  repository?: string | undefined;
}

/**
 * Refuses a review that the platform hands out for a queue in which it does not wait: it would be merged onto a target,
 * or into a repository, for which it was not reviewed. A review without a repository is in the queue of each. Spec: API,
 * Merge queue, rule 3.
 *
 * @throws Failure OTHER_QUEUE
 */
export function requireOfQueue(review: Review, { targetBranch, repository }: Queue): void {
  const own = repository === undefined ? undefined : canonicalRepository(repository);
  const isOfRepository = [review.repository, own].includes(undefined) || review.repository === own;
  if (review.targetBranch === targetBranch && isOfRepository) return;
  const { reviewId, name, ...of } = review;
  throw new Failure(
    'OTHER_QUEUE',
    `The platform answered with "${name}", which is onto ${of.targetBranch} of ${of.repository ?? 'no repository'}, for the queue onto ${targetBranch} of ${own ?? 'any repository'}.`,
    {
      details: { reviewId, targetBranch: of.targetBranch, repository: of.repository },
      next: nextStep('plat review show', [reviewId], '; plat doctor'),
    },
  );
}
