import { isCommitId } from '@plat/contracts/core';
import type { Git } from '../git/git';
import { readTips } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import type { Forge } from './forge';

/** The parts of a pull request that are used. */
export interface PullRequest {
  number: number;
  /** Its page. */
  url: string;
  /** Tip of its source branch on the forge. */
  headCommit: string;
}

/** A source branch as a gate fetched it. */
export interface GatedSource {
  sourceBranch: string;
  targetBranch: string;
  /** Tip of the source branch when the gate fetched it. */
  sourceCommit: string;
}

/** The open pull request of the source branch onto the target, within the repository; undefined if there is none. */
export async function openPullRequest(
  { client, at }: Forge,
  { sourceBranch, targetBranch }: Pick<GatedSource, 'sourceBranch' | 'targetBranch'>,
): Promise<PullRequest | undefined> {
  const pulls = await client.paginate('GET /repos/{owner}/{repo}/pulls', {
    ...at,
    state: 'open',
    head: `${at.owner}:${sourceBranch}`,
    base: targetBranch,
    per_page: 100,
  });
  // A forge that does not know the filter returns every pull request.
  const fullName = `${at.owner}/${at.repo}`.toLowerCase();
  const found = pulls.find(
    ({ head, base }) =>
      head.ref === sourceBranch &&
      base.ref === targetBranch &&
      head.repo?.full_name.toLowerCase() === fullName,
  );
  return found && { number: found.number, url: found.html_url, headCommit: found.head.sha };
}

/** @throws Failure HEAD_MOVED if the branch has commits that the gate has not seen */
export function requireUnmoved(
  { number, headCommit }: PullRequest,
  { sourceBranch, sourceCommit }: GatedSource,
): void {
  if (headCommit === sourceCommit) return;
  throw new Failure(
    'HEAD_MOVED',
    `Pull request #${number} has moved since the gate fetched ${sourceBranch}: it is at ${headCommit}, the gate took ${sourceCommit}.`,
    {
      details: { number, headCommit, sourceCommit },
      next: 'plat exec gate-merge, with the branch as it is now',
    },
  );
}

/**
 * The source's commit: the given one, otherwise the one that the last gate in this checkout took.
 *
 * @throws Failure NOT_GATED, INVALID_COMMIT_ID
 */
export async function findGatedCommit(
  git: () => Promise<Git>,
  source: string,
  given?: string,
): Promise<string> {
  if (given !== undefined) return requireCommitId(given, '--source-commit');
  const commit = (await readTips(await git())).get(source);
  if (commit !== undefined) return commit;
  throw new Failure('NOT_GATED', `The last gate in this checkout did not fetch ${source}.`, {
    next: 'add --source-commit <commit>, the tip that the gate took',
  });
}

/** @throws Failure INVALID_COMMIT_ID */
export function requireCommitId(text: string, flag: string): string {
  if (isCommitId(text)) return text;
  throw new Failure('INVALID_COMMIT_ID', `${flag} ${JSON.stringify(text)} is not a full commit id.`, {
    next: 'git rev-parse <revision>',
  });
}
