import { commitOf } from '../checkout/checkout';
import { GATED_FILES_REF, LANDED_FILES_REF } from '../checkout/own-merge';
import { renewWorktree } from '../worktree/renew-worktree';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/**
 * Prepares the worktree's files for the gate of a merge that is checked out. Files that the last gate left, such as installed
 * packages, stay only if its merge landed: a branch that was refused must not decide how the next one is tested.
 *
 * @throws Failure WORKTREE_UNUSABLE, GIT_FAILED
 */
export async function prepareFiles(
  { git, note }: Pick<DriveContext, 'git' | 'note'>,
  mergeCommit: string,
): Promise<void> {
  if ((await commitOf(git, LANDED_FILES_REF)) === undefined) {
    const gated = await commitOf(git, GATED_FILES_REF);
    if (gated !== undefined) {
      note(`The merge ${gated} did not land, so the files that its gate left are removed.`);
    }
    await renewWorktree(git, note);
  }
  // In this order, so that a drive that is killed between the two leaves no files that count as those of a landing.
  await git.run(['update-ref', '-d', LANDED_FILES_REF]);
  await git.run(['update-ref', GATED_FILES_REF, mergeCommit]);
}

/** Keeps the files that the gate of a merge left, because it landed. Does nothing if another gate has run since. */
export async function keepFiles({ git }: Pick<DriveContext, 'git'>, { merge }: DriveState): Promise<void> {
  const { mergeCommit } = merge ?? {};
  if (mergeCommit === undefined || (await commitOf(git, GATED_FILES_REF)) !== mergeCommit) return;
  await git.run(['update-ref', LANDED_FILES_REF, mergeCommit]);
}
