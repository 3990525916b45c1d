import { commitOf } from '../checkout/checkout';
import { removeInterruptedMergeFiles } from '../checkout/checkout-state';
import { SQUASH_REF } from '../checkout/own-merge';
import { updateHeldSubmodules } from '../checkout/submodules';
import type { Git } from '../git/git';
import { mergeByRecipe } from '../merge/merge-by-recipe';
import { gateRef, readTips } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import { stageAdded } from '../worktree/killed-checkout';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { stashTracked } from './stash-tracked';

/**
 * Resets a checkout in which an earlier drive was killed in its merge, independent of its review's status. The checkout
 * was clean before that merge. A person's later changes, including a resolved conflict, are kept in git stash. A git that
 * was killed with the drive leaves files of a half-made checkout: those that equal the commit are removed.
 *
 * @throws Failure KILLED_MERGE if the changes cannot be kept; nothing is reset then
 */
export async function resetKilledMerge(
  { git, note }: Pick<DriveContext, 'git' | 'note'>,
  left: DriveState,
): Promise<DriveState> {
  if (!left.merging || left.merge) return left;
  const checkedOut = await findCheckedOutCommits(git, left);
  const kept = await findKept(git, left, checkedOut);
  for (const commit of checkedOut) await stageAdded(git, commit);
  await git.run(['reset', '--quiet', '--hard']);
  await removeInterruptedMergeFiles(git);
  await updateHeldSubmodules(git);
  const { merging: _begun, ...state } = left;
  const how = kept === undefined ? '' : `; what was changed in it is kept: git stash apply ${kept}`;
  note(`An earlier drive was killed in its merge: the checkout is reset${how}.`);
  return state;
}

/** The commits that the merge may have been checking out: the target, or a squash commit. */
async function findCheckedOutCommits(git: Git, { review }: DriveState): Promise<string[]> {
  const [tips, squash] = [await readTips(git), await commitOf(git, SQUASH_REF)];
  tips.delete(review.sourceBranch);
  return [...tips.values(), ...(squash === undefined ? [] : [squash])];
}

async function findKept(git: Git, { review }: DriveState, checkedOut: string[]): Promise<string | undefined> {
  try {
    const message = `Left by a merge that was killed, of ${review.sourceBranch}`;
    const merge = await mergeOf(git, review.sourceBranch);
    const nobodys = ['HEAD', ...checkedOut, ...(merge === undefined ? [] : [merge])];
    return await stashTracked(git, { message, nobodys });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') throw error;
    throw new Failure(
      'KILLED_MERGE',
      `An earlier drive was killed in its merge, and what is changed in the checkout cannot be kept: ${error.message}`,
      { next: 'put what you want to keep elsewhere, then: git reset --hard, and repeat the command' },
    );
  }
}

/** The tree of the merge, if git can make it and it has no conflict. */
async function mergeOf(git: Git, sourceBranch: string): Promise<string | undefined> {
  const source = await commitOf(git, gateRef(sourceBranch));
  if (source === undefined) return undefined;
  const merged = await mergeByRecipe(git, { onto: 'HEAD', source }).catch(() => undefined);
  return merged?.outcome === 'clean' ? merged.tree : undefined;
}
