import type { Git } from '../git/git';
import { findAlteredLinks } from '../git/git-links';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { noteEnded } from './begun-checkout';
import { commitOf, currentBranch, type Head } from './checkout';
import { keepChanges, putBack, withKept } from './kept-changes';
import { checkOut, checkOutBranch, detachArguments } from './place';

/** The state of a checkout before a gate moved it. */
export interface CheckoutState extends Head {
  /** The local target branch; without a commit if there was none. */
  target: Head & { branch: string };
  /** The commits that the gate has checked out since. If HEAD is on any other commit, a person moved it. */
  made: readonly string[];
  /** The commit to which the gate is about to move the local target branch. */
  movedTo?: string;
}

/** The untracked files of a git that was stopped in the middle of a merge. */
const INTERRUPTED_MERGE_FILES = ':(top,glob).merge_file_*';

export async function removeInterruptedMergeFiles(git: Git): Promise<void> {
  await git.run(['clean', '--quiet', '--force', '--', INTERRUPTED_MERGE_FILES]);
}

/**
 * Restores the checkout, but keeps a person's work: a branch that the person moved stays where it is, and changes in
 * the files are kept.
 *
 * @returns the commit of the stash entry with the changes; undefined if there are none
 */
async function restoreCheckout(git: Git, state: CheckoutState): Promise<string | undefined> {
  const { target, made } = state;
  const [branch, commit] = [await currentBranch(git), await commitOf(git, 'HEAD')];
  const isOurs = commit !== undefined && made.includes(commit) && [undefined, target.branch].includes(branch);
  const isUntouched = branch === state.branch && (branch !== undefined || commit === state.commit);
  if (!isOurs && !isUntouched) {
    throw new Error(`someone put it on ${branch ?? 'no branch'} at ${commit ?? 'no commit'}.`);
  }
  const around = state.commit === undefined ? made : [...made, state.commit];
  const kept = await keepChanges(git, around);
  if (isOurs) await goBack(git, state, commit);
  // If HEAD was not moved, the changes go back to the files.
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
 * Restores the checkout after a step that failed.
 *
 * @returns the error to throw: the given one, with the place of a person's kept changes; or CHECKOUT_NOT_RESTORED with
 *   the state of the checkout
 */
export async function restoreAfter(error: unknown, git: Git, state: CheckoutState): Promise<unknown> {
  // Nothing is restored where git cannot be run. The worktree of drives is made again.
  if ((await findAlteredLinks(git)).length > 0) return error;
  try {
    const kept = await restoreCheckout(git, state);
    await noteEnded(git);
    return kept === undefined ? error : withKept(error, kept);
  } catch (second) {
    const [first, then] = [error, second].map((each) =>
      each instanceof Error ? each.message : String(each),
    );
    const message = `${first} The checkout was left in the middle of it: ${then}`;
    const stood = state.branch ?? state.commit ?? state.target.branch;
    return new Failure('CHECKOUT_NOT_RESTORED', message, {
      next: nextStep(
        'git status and git stash list, to see what is there; git stash --include-untracked, or git branch, keeps it; then git checkout',
        [stood],
      ),
    });
  }
}
