import { apiFailure } from '../failures/api-failure';
import { closePullRequest } from '../forge/close-pull-request';
import { findForge } from '../forge/known-forge';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import type { DriveContext, PullRequestEnd } from './drive-context';
import type { DriveState } from './drive-state';

/**
 * Closes the pull request of the source that has landed. A failure does not change the merge.
 *
 * @returns undefined if there is no pull request or no forge
 */
export async function closeStep(
  context: DriveContext,
  { review, merge }: DriveState,
): Promise<PullRequestEnd | undefined> {
  const { git, targetBranch, repository, forgeUrl, note, progress, interrupted } = context;
  const { sourceCommit, mergeCommit: commitId } = merge ?? {};
  if (sourceCommit === undefined || commitId === undefined) return undefined;
  try {
    const forge = await findForge({ repository, apiUrl: forgeUrl, interrupted });
    if (typeof forge === 'string') {
      // A repository in a folder has no forge, which needs no note for each review.
      if (!repository.startsWith('file:')) note(`No pull request is closed: ${forge}`);
      return undefined;
    }
    const look = () => Promise.resolve({ git, remote: ORIGIN });
    const landing = { sourceBranch: review.sourceBranch, targetBranch, sourceCommit, commitId, look };
    const { pullRequest } = await progress('Closing the pull request', closePullRequest(forge, landing));
    return pullRequest && { number: pullRequest.number, url: pullRequest.url, closed: true };
  } catch (error) {
    // After an interruption the next drive closes it.
    interrupted.throwIfAborted();
    const failure = error instanceof Failure ? error : apiFailure(error);
    if (!failure) throw error;
    note(`The pull request of ${review.sourceBranch} is not closed: ${failure.message}`);
    return { closed: false, reason: failure.message };
  }
}
