import type { Review } from '@plat/api-client';
import { repositoryOfCheckout } from '../checkout/checkout';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';

/**
 * Refuses a checkout of another repository than the review's. A review without a repository is of any.
 *
 * @param otherwise what else a person can do
 * @throws Failure OTHER_REPOSITORY, NO_REPOSITORY
 */
export async function requireSameRepository(
  git: Git,
  { repository, name }: Pick<Review, 'repository' | 'name'>,
  otherwise?: NextStep,
): Promise<void> {
  const here = await repositoryOfCheckout(git);
  if (repository === undefined || repository === here) return;
  throw new Failure('OTHER_REPOSITORY', `This checkout is of ${here}, and "${name}" is of ${repository}.`, {
    details: { here, repository },
    next: nextStep('run the command in a checkout of that repository', otherwise),
  });
}
