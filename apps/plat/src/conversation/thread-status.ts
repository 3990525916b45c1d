import { type ApiClient, type Comment, getReview, listComments, updateCommentStatus } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { requireClaimedReview } from '../reviews/claimed-review';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

export interface ThreadChange {
  reviewId: string;
  commentId: string;
  status: 'OPEN' | 'CLOSED';
  /** Names of users by their ids. */
  names: ReadonlyMap<string, string>;
}

/**
 * Closes or opens a thread, which only its author may do. Spec: API, Comment thread.
 *
 * @throws Failure FORBIDDEN, with the author of another user's thread; ANSWER_CONTRADICTS
 */
export async function changeThread(api: ApiClient, change: ThreadChange): Promise<Comment> {
  const { reviewId, commentId, status, names } = change;
  try {
    const changed = await updateCommentStatus(api, { reviewId, commentId, body: { status } });
    return requireClaimedReview(changed, { status });
  } catch (error) {
    const refusal = apiFailure(error);
    if (refusal?.code !== 'FORBIDDEN') throw error;
    const thread = (await listComments(api, { reviewId })).find((one) => one.commentId === commentId);
    if (!thread) throw error;
    const author = names.get(thread.creatorUserId) ?? thread.creatorUserId;
    const { targetBranch } = await getReview(api, { reviewId });
    throw new Failure(refusal.code, `${refusal.message} It is ${author}'s.`, {
      details: { authorUserId: thread.creatorUserId },
      requestId: refusal.requestId,
      next: nextStep(
        'ask',
        [author],
        'to run: plat review resolve',
        [reviewId],
        [commentId],
        '; or promote over it: plat review queue override-advance --target-branch',
        [targetBranch],
        '--reason <text>',
      ),
    });
  }
}
