import type { Git } from '../git/git';
import { findLanding } from '../push/landing';
import { type Forge, plannedForgeCall } from './forge';
import { type GatedSource, openPullRequest, type PullRequest, requireUnmoved } from './pull-request';

/** A source that may have landed. */
export interface Landing extends GatedSource {
  /** The checkout, and the remote whose target is read. Read only if there is a pull request. */
  look(): Promise<{ git: Git; remote: string }>;
  /** The commit that carries the source; undefined: the first commit on the target that does. */
  commitId?: string | undefined;
}

/** The result for the pull request of a landed source. */
export interface ClosedPullRequest extends GatedSource {
  /** The commit on the target that carries the source; absent if no pull request was open. */
  commitId?: string;
  /** Absent if none was open. */
  pullRequest?: PullRequest;
  closed: boolean;
}

/**
 * Names the landing commit in a comment on the source's open pull request and closes it; does nothing if there is none.
 * Closes only what the remote's target shows as landed. If it is repeated after an interruption, it does not comment
 * again. Spec: Client, plat exec close-pr.
 *
 * @throws Failure HEAD_MOVED or NOT_LANDED, before anything is written
 */
export async function closePullRequest(forge: Forge, landing: Landing): Promise<ClosedPullRequest> {
  const { sourceBranch, targetBranch, sourceCommit } = landing;
  const source = { sourceBranch, targetBranch, sourceCommit };
  const closable = await closablePull(forge, landing);
  if (closable === undefined) return { ...source, closed: false };
  const { pullRequest, commitId } = closable;
  const { client, at } = forge;
  const issue = { ...at, issue_number: pullRequest.number };
  const body = `Landed on \`${targetBranch}\` as ${commitId}.`;
  const path = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
  const comments = await client.paginate(`GET ${path}`, { ...issue, per_page: 100 });
  if (!comments.some((comment) => comment.body === body)) {
    await client.request(`POST ${path}`, { ...issue, body });
  }
  const pull = { ...at, pull_number: pullRequest.number };
  await client.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, state: 'closed' });
  return { ...source, commitId, pullRequest, closed: true };
}

/** The writing calls, as `--dry-run` prints them. @throws Failure HEAD_MOVED, NOT_LANDED */
export async function planClosing(forge: Forge, landing: Landing): Promise<string[]> {
  const closable = await closablePull(forge, landing);
  return closable === undefined ? [] : closingCalls(forge, closable.pullRequest);
}

/** The calls that comment on a pull request and close it. */
export function closingCalls(forge: Forge, { number }: PullRequest): string[] {
  return [
    plannedForgeCall(forge, 'POST', `issues/${number}/comments`),
    plannedForgeCall(forge, 'PATCH', `pulls/${number}`),
  ];
}

/** The open pull request, and the commit that carries its source. */
async function closablePull(
  forge: Forge,
  landing: Landing,
): Promise<{ pullRequest: PullRequest; commitId: string } | undefined> {
  const pullRequest = await openPullRequest(forge, landing);
  if (pullRequest === undefined) return undefined;
  requireUnmoved(pullRequest, landing);
  const { look, ...question } = landing;
  const { git, remote } = await look();
  return { pullRequest, commitId: await findLanding(git, { ...question, remote }) };
}
