import { Failure } from '../terminal/failure';
import { commitOf, currentBranch, type Head } from './checkout';
import type { Git } from './git';
import { keepChanges, putBack, withKept } from './kept-changes';
import { checkOut, checkOutBranch, detachArguments } from './place';

/** Where a checkout stood before a gate moved it. */
export interface CheckoutState extends Head {
  /** The local target branch; no commit when there was none. */
  target: Head & { branch: string };
  /** The commits that the gate has checked out since; HEAD on any other is where somebody put it. */
  made: readonly string[];
  /** Where the gate is about to move the local target branch. */
  movedTo?: string;
}

/** What a git that was stopped in the middle of a merge leaves behind, untracked. */
const INTERRUPTED_MERGE_FILES = ':(top,glob).merge_file_*';

export async function removeInterruptedMergeFiles(git: Git): Promise<void> {
  await git.run(['clean', '--quiet', '--force', '--', INTERRUPTED_MERGE_FILES]);
}

/**
 * Puts the checkout back to where it stood, and nothing of anybody else's: a branch that he moved stays where it is, and
 * what he changed in the files is kept.
 *
 * @returns the stash's commit that keeps changes; undefined when there are none
 */
async function restoreCheckout(git: Git, state: CheckoutState): Promise<string | undefined> {
  const { target, made } = state;
  const [branch, commit] = [await currentBranch(git), await commitOf(git, 'HEAD')];
  const isOurs = commit !== undefined && made.includes(commit) && [undefined, target.branch].includes(branch);
  const isUntouched = branch === state.branch && (branch !== undefined || commit === state.commit);
  if (!isOurs && !isUntouched) {
    throw new Error(`somebody put it on ${branch ?? 'no branch'} at ${commit ?? 'no commit'}.`);
  }
  const around = state.commit === undefined ? made : [...made, state.commit];
  const kept = await keepChanges(git, around);
  if (isOurs) await goBack(git, state, commit);
  // Where HEAD was not moved, the changes belong where they were made.
  return kept !== undefined && !isOurs && (await putBack(git, kept)) ? undefined : kept;
}

async function goBack(git: Git, state: CheckoutState, at: string): Promise<void> {
  const { branch, commit, target, movedTo } = state;
  const ref = `refs/heads/${target.branch}`;
  if (movedTo !== undefined && movedTo !== target.commit && (await commitOf(git, ref)) === movedTo) {
    await git.run(detachArguments(at));
    if (target.commit === undefined) await git.run(['update-ref', '-d', ref, movedTo]);
    else await git.run(['update-ref', ref, target.commit, movedTo]);
  }
  if (commit === undefined) return;
  await (branch === undefined ? checkOut(git, commit) : checkOutBranch(git, branch));
}

/**
 * Puts the checkout back after a step that failed.
 *
 * @returns what is to be thrown: the error, with where somebody's changes are kept; or CHECKOUT_NOT_RESTORED with how
 * the checkout is now
 */
export async function restoreAfter(error: unknown, git: Git, state: CheckoutState): Promise<unknown> {
  try {
    const kept = await restoreCheckout(git, state);
    return kept === undefined ? error : withKept(error, kept);
  } catch (second) {
    const [first, then] = [error, second].map((each) =>
      each instanceof Error ? each.message : String(each),
    );
    const message = `${first} The checkout was left in the middle of it: ${then}`;
    const stood = state.branch ?? state.commit ?? state.target.branch;
    return new Failure('CHECKOUT_NOT_RESTORED', message, {
      next: `git status and git stash list, to see what is there; git stash --include-untracked, or git branch, keeps it; then git checkout ${stood}`,
    });
  }
}
