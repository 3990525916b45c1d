import { plannedForgeCall, type Forge } from './forge';
import { openPullRequest, requireUnmoved, type GatedSource, type PullRequest } from './pull-request';

/** A source that has landed. */
export interface Landing extends GatedSource {
  /** The commit on the target that carries it. */
  commitId: string;
}

/** What became of the pull request of a source that has landed. */
export interface ClosedPullRequest extends Landing {
  /** Absent when none was open. */
  pullRequest?: PullRequest;
  closed: boolean;
}

/**
 * Comments the landing commit on the source's open pull request and closes it; nothing where there is none.
 * Repeated after an interruption it comments once. Spec: Client, plat exec close-pr.
 *
 * @throws Failure HEAD_MOVED, and nothing is written
 */
export async function closePullRequest(forge: Forge, landing: Landing): Promise<ClosedPullRequest> {
  const pullRequest = await closable(forge, landing);
  if (pullRequest === undefined) return { ...landing, closed: false };
  const { client, at } = forge;
  const issue = { ...at, issue_number: pullRequest.number };
  const body = landingComment(landing);
  const path = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
  const comments = await client.paginate(`GET ${path}`, { ...issue, per_page: 100 });
  if (!comments.some((comment) => comment.body === body))
    await client.request(`POST ${path}`, { ...issue, body });
  const pull = { ...at, pull_number: pullRequest.number };
  await client.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, state: 'closed' });
  return { ...landing, pullRequest, closed: true };
}

/** The calls that would write, as `--dry-run` prints them. @throws Failure HEAD_MOVED */
export async function plannedClosing(forge: Forge, landing: Landing): Promise<string[]> {
  const pullRequest = await closable(forge, landing);
  if (pullRequest === undefined) return [];
  return closingCalls(forge, pullRequest);
}

/** The calls that comment and close one. */
export function closingCalls(forge: Forge, { number }: PullRequest): string[] {
  return [
    plannedForgeCall(forge, 'POST', `issues/${number}/comments`),
    plannedForgeCall(forge, 'PATCH', `pulls/${number}`),
  ];
}

async function closable(forge: Forge, landing: Landing): Promise<PullRequest | undefined> {
  const pullRequest = await openPullRequest(forge, landing);
  if (pullRequest !== undefined) requireUnmoved(pullRequest, landing);
  return pullRequest;
}

function landingComment({ targetBranch, commitId }: Landing): string {
  return `Landed on \`${targetBranch}\` as ${commitId}.`;
}
