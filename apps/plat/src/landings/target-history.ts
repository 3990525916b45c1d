import { canonicalRepository } from '@plat/remote';
import { commitOf } from '../checkout/checkout';
import { type Git, gitFailure } from '../git/git';
import { listed } from '../git/listed';
import { requireWholeHistory } from '../origin/whole-history';
import { lookAtTip } from '../push/gate-refs';
import { isAncestor } from '../push/landing';
import { Failure } from '../terminal/failure';
import { printableLine, withoutCredentials } from '../terminal/printable';
import { readTrackedTip } from './offline';

/** A commit of a target branch. */
export interface TargetCommit {
  commitId: string;
  parentIds: string[];
  /** RFC 3339 UTC, as the committer wrote it. */
  committedAt: string;
  /** First line of the message, without control characters. */
  subject: string;
}

/** The first-parent history of a remote's branch. */
export interface TargetHistory {
  git: Git;
  /** Whether the history is what the clone has of it, and no remote may be contacted. */
  isOffline: boolean;
  /** A remote of the clone, by name. */
  remote: string;
  /** Canonical identity of the remote's repository. */
  repository: string;
  targetBranch: string;
  tip: string;
  /** Newest first. */
  commits: TargetCommit[];
  /** Places in `commits`, by commit id. */
  places: ReadonlyMap<string, number>;
}

/** A branch of a remote, and whether its tip is fetched or, offline, the one that the clone has. */
export type BranchToRead = Pick<TargetHistory, 'isOffline' | 'remote' | 'targetBranch'>;

/**
 * Reads the history of a branch along first parents.
 *
 * @throws Failure NO_SUCH_TARGET, NO_REPOSITORY, SHALLOW_CHECKOUT, GIT_FAILED
 */
export async function targetHistory(git: Git, branch: BranchToRead): Promise<TargetHistory> {
  const { isOffline, remote, targetBranch } = branch;
  const repository = await repositoryOf(git, remote);
  await requireWholeHistory(git);
  const tip = await (isOffline ? readTrackedTip : fetchTargetTip)(git, remote, targetBranch);
  const format = '--format=%H%n%P%n%ct%n%s';
  const log = ['log', '-z', '--first-parent', '--no-show-signature', '--no-notes', format, tip, '--'];
  const commits = listed(await git.run(log)).map(readCommit);
  const places = new Map(commits.map(({ commitId }, place) => [commitId, place]));
  return { git, ...branch, repository, tip, commits, places };
}

async function fetchTargetTip(git: Git, remote: string, branch: string): Promise<string> {
  const tip = await lookAtTip(git, remote, branch);
  if (tip !== undefined) return tip;
  throw new Failure('NO_SUCH_TARGET', `${remote} has no branch ${branch}.`, {
    next: 'repeat the command with --target-branch <branch>',
  });
}

function readCommit(entry: string): TargetCommit {
  const [commitId = '', parents = '', seconds = '', ...subject] = entry.split('\n');
  return {
    commitId,
    parentIds: parents.split(' ').filter(Boolean),
    committedAt: instantOf(Number(seconds)),
    subject: printableLine(subject.join(' ')),
  };
}

/** Years after 275,760 have no date here; the committer may write any. */
const SECONDS_MAX = 8.64e12;

/** RFC 3339 UTC of a commit's clock. */
export const instantOf = (seconds: number): string =>
  new Date(Math.min(Number.isFinite(seconds) ? seconds : 0, SECONDS_MAX) * 1000).toISOString();

/** Whether a commit is in the branch's whole history, not along the first parents alone. */
export async function isInHistory({ git, tip, places }: TargetHistory, commitId: string): Promise<boolean> {
  if (places.has(commitId)) return true;
  return (await commitOf(git, commitId)) !== undefined && isAncestor(git, commitId, tip);
}

/** @throws Failure NO_REPOSITORY if the clone has no such remote, or it names no repository */
export async function repositoryOf(git: Git, remote: string): Promise<string> {
  const command = ['remote', 'get-url', '--', remote];
  const answer = await git.try(command);
  if (answer.code !== 0 && !answer.stderr.includes('No such remote')) throw gitFailure(command, answer);
  const address = answer.stdout.trim();
  const repository = answer.code === 0 ? canonicalRepository(address) : undefined;
  if (repository !== undefined && !remote.startsWith('-')) return repository;
  const why =
    answer.code === 0
      ? `names no repository by ${withoutCredentials(address)}`
      : 'is no remote of this clone';
  throw new Failure('NO_REPOSITORY', printableLine(`${JSON.stringify(remote)} ${why}.`), {
    next: 'git remote --verbose, then repeat the command with --remote <name>',
  });
}
