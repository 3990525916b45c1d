import { type Git, gitFailure, gitLike } from '../git/git';
import { requireUnalteredLinks } from '../git/git-links';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { noteBegun, noteEnded } from './begun-checkout';
import { commitOf, requireCleanTree } from './checkout';
import { filesInTheWay, isInTheWay } from './files-in-the-way';
import {
  requireReadableSubmodules,
  submodulesNotIn,
  takeOutSubmodules,
  updateSubmodules,
} from './submodules';

/** A checkout that keeps ignored files: by default git overwrites them, even one with passwords. */
const CHECKOUT = ['checkout', '--quiet', '--no-overwrite-ignore'];

/** Checks out a commit on no branch. `^0` excludes a branch whose name equals the hash. */
export function detachArguments(commitId: string): string[] {
  return [...CHECKOUT, '--detach', `${commitId}^0`, '--'];
}

/**
 * Checks out a commit on no branch, with its submodules.
 *
 * @throws Failure FILES_IN_THE_WAY, SUBMODULE_UNUSABLE, GIT_FAILED
 */
export function checkOut(git: Git, commitId: string): Promise<void> {
  return checkOutBy(git, detachArguments(commitId), `${commitId}^0`);
}

/** Checks out a local branch in the same way. */
export function checkOutBranch(git: Git, branch: string): Promise<void> {
  return checkOutBy(git, [...CHECKOUT, branch, '--'], `refs/heads/${branch}`);
}

async function checkOutBy(git: Git, args: readonly string[], revision: string): Promise<void> {
  await requireUnalteredLinks(git);
  await requireReadableSubmodules(git, revision);
  const leaving = await submodulesNotIn(git, revision);
  const commitId = await commitOf(git, revision);
  // The checkout itself reports a revision that does not exist, and changes nothing.
  if (commitId !== undefined) await noteBegun(git, { commitId, leaving });
  try {
    await takeOutSubmodules(git, leaving);
    const answer = await git.try(args);
    if (answer.code !== 0) throw inTheWay(git, answer.stderr) ?? gitFailure(args, answer);
  } catch (error) {
    if (isInTheWay(error)) await noteEnded(git);
    // Without the signal, so that an interrupted gate puts the submodules back too. If this fails, the next checkout
    // of a commit that has them puts them back.
    if (leaving.length > 0) await updateSubmodules(gitLike(git), leaving).catch(() => undefined);
    throw error;
  }
  await updateSubmodules(git);
  await noteEnded(git);
}

/** How git begins its list of the files, or folders, that keep it from checking out. */
const IN_THE_WAY = ['untracked working tree files would be', 'would lose untracked files in them'];

function inTheWay(git: Git, said: string): Failure | undefined {
  if (!IN_THE_WAY.some((beginning) => said.includes(beginning))) return undefined;
  const files = [...said.matchAll(/^\t(.+)$/gm)].map(([, file = '']) => file);
  // A commit that has a path `.git` can be checked out nowhere, and the user must not move git's own files.
  if (files.some((file) => file.split('/').some((part) => part.toLowerCase() === '.git'))) return undefined;
  return filesInTheWay(git, files);
}

/** Puts HEAD on a branch whose commit is checked out already. */
export function onBranchArguments(branch: string): string[] {
  return ['symbolic-ref', '-m', 'plat: the merge', 'HEAD', `refs/heads/${branch}`];
}

/** The move of a local branch from its last known commit; undefined: the branch did not exist. */
export interface Move {
  branch: string;
  from: string | undefined;
  to: string;
  /** Refs that are set together with it, or not at all. */
  also?: ReadonlyMap<string, string>;
}

/**
 * Moves a local branch, if it still is at its last known commit.
 *
 * @throws Failure CHECKOUT_MOVED
 */
export async function moveBranch(git: Git, { branch, from, to, also = new Map() }: Move): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const moves = [from === undefined ? `create ${ref} ${to}` : `update ${ref} ${to} ${from}`];
  for (const [name, commit] of also) moves.push(`update ${name} ${commit}`);
  const args = ['update-ref', '--stdin'];
  const answer = await git.try(args, `${moves.join('\n')}\n`);
  if (answer.code === 0) return;
  const there = await commitOf(git, ref);
  if (there === from) throw gitFailure(args, answer);
  throw new Failure('CHECKOUT_MOVED', `The local branch ${branch} was moved by someone meanwhile.`, {
    details: { branch, expectedCommit: from, commitId: there },
    next: 'repeat the command, which begins with the branch as it is now',
  });
}

/**
 * Checks that the checkout is on the commit, on that branch or on none, without changes.
 *
 * @throws Failure CHECKOUT_MOVED, DIRTY_TREE
 */
export async function requirePlace(git: Git, commitId: string, branch?: string): Promise<void> {
  const head = await requireCleanTree(git);
  if (head.commit === commitId && head.branch === branch) return;
  throw movedFrom({ expected: { commit: commitId, branch }, head });
}

interface Moved {
  expected: { commit: string; branch: string | undefined };
  head: { commit?: string | undefined; branch?: string | undefined };
}

function movedFrom({ expected, head }: Moved): Failure {
  const there = `${head.branch ?? 'no branch'} at ${head.commit ?? 'no commit'}`;
  const { commit = '' } = head;
  const keep = ['git', 'branch', `kept-${commit.slice(0, 12)}`, commit];
  return new Failure(
    'CHECKOUT_MOVED',
    `Someone worked in this checkout while the sources were merged: it is on ${there}.`,
    {
      details: { expectedCommit: expected.commit, branch: head.branch, commitId: head.commit },
      next: nextStep(
        commit === '' ? undefined : nextStep(keep, ', which keeps what is there;'),
        'then repeat the command when no one works in the checkout',
      ),
    },
  );
}

async function isMainWorktree(git: Git): Promise<boolean> {
  const folders = await git.run(['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir']);
  const [own, common] = folders.split('\n');
  return own === common;
}

/**
 * Refuses to move a branch that another worktree of the repository has checked out, because its files would stay
 * behind.
 *
 * @throws Failure CHECKED_OUT_ELSEWHERE
 */
export async function requireNotElsewhere(git: Git, branch: string): Promise<void> {
  const [listed, own, isMain] = [
    await git.run(['worktree', 'list', '--porcelain', '-z']),
    (await git.run(['rev-parse', '--show-toplevel'])).replace(/\n$/, ''),
    await isMainWorktree(git),
  ];
  const elsewhere = listed
    .split('\0\0')
    // The main worktree comes first. If its git folder is elsewhere, as that of a submodule, git lists that folder.
    .slice(isMain ? 1 : 0)
    .map((entry) => entry.split('\0'))
    .filter((entry) => !entry.some((line) => line === 'bare' || line.startsWith('prunable')))
    .filter((entry) => entry.includes(`branch refs/heads/${branch}`))
    .map(([first = '']) => first.replace(/^worktree /, ''))
    .find((folder) => folder !== own);
  if (elsewhere === undefined) return;
  throw new Failure(
    'CHECKED_OUT_ELSEWHERE',
    `The branch ${branch} is checked out in another worktree of this repository, ${elsewhere}, so it is not moved here.`,
    {
      details: { branch, folder: elsewhere },
      next: nextStep(
        'run the command there; or free the branch:',
        ['git', '-C', elsewhere, 'switch', '--detach'],
        ', then repeat it',
      ),
    },
  );
}
