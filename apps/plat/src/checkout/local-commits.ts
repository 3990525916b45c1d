import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { CHECKED_OUT_REF, mergeRef, MERGES, SQUASH_REF } from './own-merge';

const LISTED_MAX = 10;

export interface BranchMove {
  branch: string;
  /** The branch's commit; undefined if there is no such local branch. */
  from: string | undefined;
  /** The commit to which it is moved. */
  onto: string;
  /** The caller's own commits, which need not be kept, such as a merge of an earlier drive. */
  own?: ReadonlyArray<string | undefined>;
}

/** Commits that a move removes from a local branch and that another ref holds. */
export interface LeftBehind {
  branch: string;
  /** The branch's former commit. */
  commitId: string;
}

/**
 * The commits that moving a local branch leaves behind. Merges of earlier gates need not be kept.
 *
 * @returns undefined if there are none
 * @throws Failure LOCAL_COMMITS if a person's commits would be on no ref afterwards
 */
export async function findLeftBehind(git: Git, move: BranchMove): Promise<LeftBehind | undefined> {
  const { branch, from, onto, own = [] } = move;
  const known = [onto, ...own.filter((commit) => commit !== undefined)];
  if (from === undefined || known.includes(from)) return undefined;
  const merge = mergeRef(branch);
  const without = ['--ignore-missing', `^${merge}`, ...known.map((commit) => `^${commit}`)];
  const off = await commits(git, [from, ...without]);
  if (off.length === 0) return undefined;
  const lost = await commits(git, [
    from,
    ...without,
    '--not',
    `--exclude=${branch}`,
    '--branches',
    '--tags',
    '--remotes',
  ]);
  if (lost.length === 0) return { branch, commitId: from };
  throw localCommits({ what: `The local branch ${branch}`, from, lost, branch });
}

/**
 * Refuses to leave a detached HEAD whose commits no ref holds. Commits that an interrupted gate made, or
 * that a drive checked out in its worktree, need not be kept.
 *
 * @param head undefined in a repository without a commit
 * @param fetched commits that origin has
 * @throws Failure LOCAL_COMMITS
 */
export async function requireHeadKept(git: Git, head: string | undefined, fetched: readonly string[]) {
  if (head === undefined) return;
  const own = [
    '--ignore-missing',
    `^${SQUASH_REF}`,
    `^${CHECKED_OUT_REF}`,
    ...fetched.map((commit) => `^${commit}`),
  ];
  const refs = ['--branches', '--tags', '--remotes', `--glob=${MERGES}`];
  const lost = await commits(git, [head, ...own, '--not', ...refs]);
  if (lost.length > 0) throw localCommits({ what: 'HEAD, which is on no branch,', from: head, lost });
}

async function commits(git: Git, selection: readonly string[]): Promise<string[]> {
  const listed = await git.run(['rev-list', `--max-count=${LISTED_MAX + 1}`, ...selection]);
  return listed.split('\n').filter((commit) => commit !== '');
}

interface LostCommits {
  what: string;
  from: string;
  lost: readonly string[];
  branch?: string;
}

function localCommits({ what, from, lost, branch }: LostCommits): Failure {
  const shown = lost.slice(0, LISTED_MAX).join(', ') + (lost.length > LISTED_MAX ? ', …' : '');
  const some = lost.length === 1 ? 'a commit' : 'commits';
  return new Failure(
    'LOCAL_COMMITS',
    `${what} has ${some} that no other branch or tag holds, and the gate would move it: ${shown}.`,
    {
      details: { branch, commitId: from, commits: lost },
      next: nextStep(
        'keep them:',
        ['git', 'branch', `kept-${from.slice(0, 12)}`, from],
        ', then repeat the command',
      ),
    },
  );
}
