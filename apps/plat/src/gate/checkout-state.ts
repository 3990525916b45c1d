import { Failure } from '../terminal/failure';
import type { Head } from './checkout';
import type { Git } from './git';

/** Where a checkout stood before a gate moved it. */
export interface CheckoutState extends Head {
  /** The local target branch; no commit when there was none. */
  target: Head & { branch: string };
}

/** What a git that was stopped in the middle of a merge leaves behind, untracked. */
const INTERRUPTED_MERGE_FILES = ':(top,glob).merge_file_*';

export async function removeInterruptedMergeFiles(git: Git): Promise<void> {
  await git.run(['clean', '--quiet', '--force', '--', INTERRUPTED_MERGE_FILES]);
}

/** Puts a clean checkout back to where it stood, the local target branch included. */
async function restoreCheckout(git: Git, state: CheckoutState): Promise<void> {
  await git.run(['reset', '--quiet', '--hard']);
  await removeInterruptedMergeFiles(git);
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
