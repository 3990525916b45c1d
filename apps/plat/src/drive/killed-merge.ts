import { removeInterruptedMergeFiles } from '../gate/checkout-state';
import type { Git } from '../gate/git';
import type { DriveStateFile } from './drive-state';

/**
 * Resets a checkout in which an earlier drive was killed in its merge, whatever has become of its review since. The
 * checkout was clean before that merge; what a person changed after the kill is kept as a commit of git stash.
 */
export async function resetKilledMerge(
  git: Git,
  stateFile: DriveStateFile,
  note: (line: string) => void,
): Promise<void> {
  const left = await stateFile.read();
  if (!left?.merging || left.merge) return;
  // Where files are in conflict there is no such commit.
  const kept = await git.try(['stash', 'create', 'Left by a merge that was killed']);
  await git.run(['reset', '--quiet', '--hard']);
  await removeInterruptedMergeFiles(git);
  const { merging: _begun, ...state } = left;
  await stateFile.write(state);
  const commit = kept.code === 0 ? kept.stdout.trim() : '';
  const how = commit === '' ? '' : `; what was changed in it: git stash apply ${commit}`;
  note(`An earlier drive was killed in its merge: the checkout is reset${how}.`);
}
