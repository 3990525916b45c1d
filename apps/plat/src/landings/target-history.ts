import { canonicalRepository } from '@plat/remote';
import { commitOf } from '../gate/checkout';
import { lookAtTip } from '../gate/gate-refs';
import { type Git, gitFailure } from '../gate/git';
import { isAncestor } from '../gate/landing';
import { listed } from '../gate/listed';
import { requireWholeHistory } from '../gate/whole-history';
import { Failure } from '../terminal/failure';
import { printableLine, withoutCredentials } from '../terminal/printable';

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

/**
 * Fetches the branch and reads its history along first parents.
 *
 * @throws Failure NO_SUCH_TARGET, NO_REPOSITORY, SHALLOW_CHECKOUT, GIT_FAILED
 */
export async function targetHistory(
  git: Git,
  { remote, targetBranch }: { remote: string; targetBranch: string },
): Promise<TargetHistory> {
  const repository = await repositoryOf(git, remote);
  await requireWholeHistory(git);
  const tip = await lookAtTip(git, remote, targetBranch);
  if (tip === undefined) {
    throw new Failure('NO_SUCH_TARGET', `${remote} has no branch ${targetBranch}.`, {
      next: 'repeat the command with --target-branch <branch>',
    });
  }
  const format = '--format=%H%n%P%n%ct%n%s';
  const log = ['log', '-z', '--first-parent', '--no-show-signature', '--no-notes', format, tip, '--'];
  const commits = listed(await git.run(log)).map(readCommit);
  const places = new Map(commits.map(({ commitId }, place) => [commitId, place]));
  return { git, remote, repository, targetBranch, tip, commits, places };
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

const instantOf = (seconds: number): string =>
  new Date(Math.min(Number.isFinite(seconds) ? seconds : 0, SECONDS_MAX) * 1000).toISOString();

/** Whether a commit is in the branch's whole history, also beside the first parents. */
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
