import { requireCleanTree } from '../checkout/checkout';
import type { FailureCode } from '../error-codes/failure-code';
import type { Git } from '../git/git';
import { findAlteredLinks } from '../git/git-links';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { renewWorktree } from '../worktree/renew-worktree';
import type { DriveContext } from './drive-context';
import { setAside } from './set-aside';
import { stashTracked } from './stash-tracked';

const MESSAGE = 'Left in the worktree of a drive';

/**
 * Makes the drive's worktree clean, in which only gates change files. Changes in tracked files are kept in git stash, and
 * untracked files that the repository does not ignore are moved to a folder that the note names. Whatever else is changed,
 * such as a repository in the place of a submodule, goes with the worktree's folder.
 *
 * @throws Failure DIRTY_TREE, HIDDEN_FILES, UNFINISHED_OPERATION, each with the way out
 */
export async function tidyWorktree(
  context: Pick<DriveContext, 'git' | 'note' | 'asideFolder'>,
): Promise<void> {
  const { git, note } = context;
  // git must not enter a repository that a gate made, so nothing in the folder can be looked at.
  if ((await findAlteredLinks(git)).length > 0) await renewWorktree(git, note);
  if (await isClean(git)) return;
  const kept = await stashTracked(git, { message: MESSAGE, nobodys: ['HEAD'] });
  await git.run(['reset', '--quiet', '--hard']);
  if (kept !== undefined) {
    note(`A gate changed files of the worktree. The changes are kept: git stash apply ${kept}`);
  }
  await setAside(context, listed(await git.run(['ls-files', '--others', '--exclude-standard', '-z'])));
  await requireCleanTree(git).catch(() => renewWorktree(git, note));
  await requireCleanTree(git).catch((error: unknown) => {
    throw withWorktreeGivenUp(git, error);
  });
}

/** Whether nothing is changed. If a gate has hidden files from git, the index is read again from HEAD, so that git sees them. */
async function isClean(git: Git): Promise<boolean> {
  try {
    await requireCleanTree(git);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'HIDDEN_FILES') {
      await git.run(['read-tree', '--empty']);
      await git.run(['read-tree', 'HEAD']);
      return false;
    }
    if (error.code === 'DIRTY_TREE') return false;
    throw withWorktreeGivenUp(git, error);
  }
}

/** Failures that are about the worktree itself. Their own next step is for the checkout of a person. */
const WORKTREE_CODES: readonly FailureCode[] = [
  'DIRTY_TREE',
  'HIDDEN_FILES',
  'UNFINISHED_OPERATION',
  'FILES_IN_THE_WAY',
  'CHECKOUT_NOT_RESTORED',
  'KILLED_MERGE',
];

/** The error with the command that removes the worktree, because the next drive makes it again. */
export function withWorktreeGivenUp({ folder }: Git, error: unknown): unknown {
  if (!(error instanceof Failure) || !WORKTREE_CODES.includes(error.code)) return error;
  const { code, message, details, exitCode } = error;
  const next = nextStep(
    ['git', 'worktree', 'remove', '--force', folder],
    ', which deletes what is in it and in no commit; then repeat the command, which makes it again',
  );
  return new Failure(code, message, { details: { ...details, folder }, next, exitCode });
}
