import { Failure } from '../terminal/failure';
import { commitOf, currentBranch } from './checkout';
import type { Git } from './git';

/** Where a checkout stood before a gate moved it. */
export interface CheckoutState {
  /** Undefined when HEAD was detached. */
  branch?: string;
  /** Undefined in a repository without a commit. */
  commit?: string;
  /** The local target branch; no commit when there was none. */
  target: { branch: string; commit?: string };
}

export async function rememberCheckout(git: Git, targetBranch: string): Promise<CheckoutState> {
  return {
    branch: await currentBranch(git),
    commit: await commitOf(git, 'HEAD'),
    target: { branch: targetBranch, commit: await commitOf(git, `refs/heads/${targetBranch}`) },
  };
}

/** What a git that was stopped in the middle of a merge leaves behind, untracked. */
const INTERRUPTED_MERGE_FILES = ':(top,glob).merge_file_*';

/** Puts a clean checkout back to where it stood, the local target branch included. */
async function restoreCheckout(git: Git, state: CheckoutState): Promise<void> {
  await git.run(['reset', '--quiet', '--hard']);
  await git.run(['clean', '--quiet', '--force', '--', INTERRUPTED_MERGE_FILES]);
  const { branch, commit, target } = state;
  if (commit === undefined) return;
  if (branch === undefined) await git.run(['checkout', '--quiet', '--detach', commit]);
  else await git.run(['checkout', '--quiet', '-B', branch, commit]);
  if (branch === target.branch) return;
  const ref = `refs/heads/${target.branch}`;
  if (target.commit === undefined) await git.run(['update-ref', '-d', ref]);
  else await git.run(['update-ref', ref, target.commit]);
}

/**
 * Puts the checkout back after a step that failed.
 *
 * @returns what is to be thrown: the error, or CHECKOUT_NOT_RESTORED with how the checkout is now
 */
export async function restoreAfter(error: unknown, git: Git, state: CheckoutState): Promise<unknown> {
  try {
    await restoreCheckout(git, state);
    return error;
  } catch (second) {
    const [first, then] = [error, second].map((each) =>
      each instanceof Error ? each.message : String(each),
    );
    const message = `${first} The checkout was left in the middle of it: ${then}`;
    const stood = state.branch ?? state.commit ?? state.target.branch;
    return new Failure('CHECKOUT_NOT_RESTORED', message, {
      next: `git reset --hard && git checkout ${stood}`,
    });
  }
}
