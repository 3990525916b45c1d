import {
  type ApiClient,
  type CreateReview,
  createReview as sendReview,
  listReviews,
  type Review,
} from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { requireClaimedReview } from './claimed-review';
import { isLive } from './named-review';

/** The live review that proposes the same branch onto the same target, if there is one. */
export async function liveReviewOf(
  api: ApiClient,
  { repository, sourceBranch, targetBranch }: CreateReview,
): Promise<Review | undefined> {
  const found = await listReviews(api, { query: { repository, sourceBranch, targetBranch } });
  return found.find(isLive);
}

/**
 * Creates the review. A refused one is explained: by the live review of the same branches, which another name would not
 * replace, or by the name that is taken.
 *
 * @param command repeated with another name, such as `plat review create`
 * @throws Failure CONFLICT, ANSWER_CONTRADICTS
 */
export async function createReview(api: ApiClient, body: CreateReview, command: NextStep): Promise<Review> {
  try {
    const { name, sourceBranch, targetBranch } = body;
    return requireClaimedReview(await sendReview(api, { body }), { name, sourceBranch, targetBranch });
  } catch (error) {
    const refusal = apiFailure(error);
    if (refusal?.code !== 'CONFLICT') throw error;
    const live = await liveReviewOf(api, body);
    throw live ? isProposed(live) : nameTaken(refusal, command);
  }
}

function isProposed({ reviewId, name, status, sourceBranch, targetBranch }: Review): Failure {
  const message = `"${name}" proposes ${sourceBranch} onto ${targetBranch} already; it is at ${status}.`;
  return new Failure('CONFLICT', message, {
    details: { reviewId, name, status },
    next: nextStep(
      'plat status',
      [reviewId],
      '; for a new commit on',
      [sourceBranch],
      ': plat submit; to propose it again:',
      closing(status, reviewId),
    ),
  });
}

/** A review in the slot is put back before it can be closed. */
function closing(status: Review['status'], reviewId: string): NextStep {
  const close = nextStep('plat review close', [reviewId]);
  return status === 'MERGE' ? nextStep('plat review requeue', [reviewId], '&&', close) : close;
}

function nameTaken({ code, message, details, requestId }: Failure, command: NextStep): Failure {
  return new Failure(code, message, {
    details,
    requestId,
    next: nextStep(command, '--name <text>; plat review list --here shows the review of that name'),
  });
}

/** The command line of a creation with the flags that were given, without the name. */
export function commandWith(
  command: NextStep,
  flags: Readonly<Record<string, string | undefined>>,
): NextStep {
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, value],
  );
  return nextStep(command, given);
}
