import { removeInterruptedMergeFiles } from '../gate/checkout-state';
import { gateRef } from '../gate/gate-refs';
import type { Git } from '../gate/git';
import { Failure } from '../terminal/failure';
import type { DriveState, DriveStateFile } from './drive-state';
import { keepChanges } from './kept-changes';

/**
 * Resets a checkout in which an earlier drive was killed in its merge, independent of its review's status. The checkout
 * was clean before that merge. A person's later changes, including a resolved conflict, are kept in git stash.
 *
 * @throws Failure KILLED_MERGE if they cannot be kept; nothing is reset then
 */
export async function resetKilledMerge(
  git: Git,
  stateFile: DriveStateFile,
  note: (line: string) => void,
): Promise<void> {
  const left = await stateFile.read();
  if (!left?.merging || left.merge) return;
  const kept = await keptOf(git, left);
  await git.run(['reset', '--quiet', '--hard']);
  await removeInterruptedMergeFiles(git);
  const { merging: _begun, ...state } = left;
  await stateFile.write(state);
  const how = kept === undefined ? '' : `; what was changed in it is kept: git stash apply ${kept}`;
  note(`An earlier drive was killed in its merge: the checkout is reset${how}.`);
}

async function keptOf(git: Git, { review }: DriveState): Promise<string | undefined> {
  try {
    const message = `Left by a merge that was killed, of ${review.sourceBranch}`;
    return await keepChanges(git, { message, merge: await mergeOf(git, review.sourceBranch) });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') throw error;
    throw new Failure(
      'KILLED_MERGE',
      `An earlier drive was killed in its merge, and what is changed in the checkout cannot be kept: ${error.message}`,
      { next: 'put what you want to keep elsewhere, then: git reset --hard, and repeat the command' },
    );
  }
}

/** The tree of the merge, if it has no conflict. */
async function mergeOf(git: Git, sourceBranch: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(['merge-tree', '--write-tree', 'HEAD', gateRef(sourceBranch)]);
  return code === 0 ? stdout.trim() : undefined;
}
