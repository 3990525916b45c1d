import { type ApiClient, listReviews } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { ambiguous, isLive } from './named-review';

/** A review, and the text that names it: its id, a part of the id, or its source branch. */
export interface MeantReview {
  reviewId: string;
  name: string;
}

/**
 * Finds the review that is neither MERGED nor CLOSED and proposes the checked-out branch, which names it.
 *
 * @throws Failure NOT_A_CHECKOUT, NO_REPOSITORY, NO_BRANCH, NO_LIVE_REVIEW; AMBIGUOUS_ID if the branch is proposed
 *   onto several targets
 */
export async function findCheckedOutReview(api: ApiClient): Promise<MeantReview> {
  // Loaded here, so that a command whose review is named does not load git.
  const { currentBranch, openCheckout, repositoryOfCheckout } = await import('../checkout/checkout.js');
  const git = await openCheckout(process.cwd());
  const [sourceBranch, repository] = [await currentBranch(git), await repositoryOfCheckout(git)];
  if (sourceBranch === undefined) {
    throw new Failure('NO_BRANCH', 'No branch is checked out, so it names no review.', {
      next: 'repeat the command with the id of the review',
    });
  }
  const proposing = await listReviews(api, { query: { repository, sourceBranch } });
  const live = proposing.filter(isLive);
  const [only, ...more] = live;
  if (!only) {
    throw new Failure('NO_LIVE_REVIEW', printableLine(`No live review proposes ${sourceBranch}.`), {
      next: 'plat review list --here, and repeat the command with the id of the review',
    });
  }
  if (more.length > 0) throw ambiguous(`${live.length} live reviews propose ${sourceBranch}`, live);
  return { reviewId: only.reviewId, name: sourceBranch };
}
