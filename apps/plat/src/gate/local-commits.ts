import { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';
import type { Git } from './git';
import { mergeRef, MERGES, SQUASH_REF } from './own-merge';

const LISTED_MAX = 10;

export interface BranchMove {
  branch: string;
  /** Where it stands; undefined when there is no such local branch. */
  from: string | undefined;
  /** Where it is moved to. */
  onto: string;
  /** Commits beside the last merge that are the caller's own, such as a merge of an earlier drive. */
  own?: ReadonlyArray<string | undefined>;
}

/** What a move takes off a local branch that stays on another ref. */
export interface LeftBehind {
  branch: string;
  /** Where it stood. */
  commitId: string;
}

/**
 * What moving a local branch leaves behind. Merges of earlier gates are nothing to keep.
 *
 * @returns undefined when nothing is
 * @throws Failure LOCAL_COMMITS when commits of somebody's would be on no ref any more
 */
export async function leftBehind(git: Git, move: BranchMove): Promise<LeftBehind | undefined> {
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
 * What leaving a detached HEAD would leave on no ref; squash commits of gates that were cut short are nothing to keep.
 *
 * @param head undefined in a repository without a commit
 * @param fetched commits that origin has
 * @throws Failure LOCAL_COMMITS
 */
export async function requireHeadKept(git: Git, head: string | undefined, fetched: readonly string[]) {
  if (head === undefined) return;
  const own = ['--ignore-missing', `^${SQUASH_REF}`, ...fetched.map((commit) => `^${commit}`)];
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
      details: { ...(branch !== undefined && { branch }), commitId: from, commits: lost },
      next: `keep them: ${shellQuote(['git', 'branch', `kept-${from.slice(0, 12)}`, from])}, then repeat the command`,
    },
  );
}
