import { Failure } from '../terminal/failure';
import { maskTokens } from '../terminal/mask-tokens';
import type { Forge } from './forge';
import { type GatedSource, openPullRequest, type PullRequest, requireUnmoved } from './pull-request';

/** The longest description that the forge accepts. */
const DESCRIPTION_LENGTH_MAX = 140;

/** The outcome of a gate build. */
export interface GateOutcome {
  successful: boolean;
  /** Why it failed. Default: a text that says only that it failed. */
  detail?: string;
  /** Name of the check, as the rule of the target branch requires it. */
  context: string;
  /** Page with details. */
  targetUrl?: string;
}

/** A reported commit status. */
export interface CommitStatus {
  commitId: string;
  pullRequest: PullRequest;
  state: 'success' | 'failure';
  context: string;
  description: string;
}

/**
 * The open pull request of the source. Its head must be the commit that the gate took, because a status on another
 * head would vouch for a commit that was not built.
 *
 * @throws Failure NO_PULL_REQUEST, HEAD_MOVED
 */
export async function findGatedPullRequest(forge: Forge, source: GatedSource): Promise<PullRequest> {
  const pullRequest = await openPullRequest(forge, source);
  if (pullRequest === undefined) {
    throw new Failure(
      'NO_PULL_REQUEST',
      `${source.sourceBranch} has no open pull request onto ${source.targetBranch}.`,
    );
  }
  requireUnmoved(pullRequest, source);
  return pullRequest;
}

/** Reports a gate's outcome on the head of a pull request. Spec: Client, plat exec report-commit-status. */
export async function reportCommitStatus(
  { client, at }: Forge,
  pullRequest: PullRequest,
  { successful, detail, context, targetUrl }: GateOutcome,
): Promise<CommitStatus> {
  const state = successful ? 'success' : 'failure';
  const description = shortened(
    maskTokens(detail ?? (successful ? 'The gate build passed' : 'The gate build failed')),
  );
  const commitId = pullRequest.headCommit;
  await client.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...at,
    sha: commitId,
    state,
    context,
    description,
    target_url: targetUrl,
  });
  return { commitId, pullRequest, state, context, description };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= DESCRIPTION_LENGTH_MAX
    ? text
    : `${characters.slice(0, DESCRIPTION_LENGTH_MAX - 1).join('')}…`;
}
