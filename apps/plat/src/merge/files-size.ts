import { statfs } from 'node:fs/promises';
import type { Git } from '../git/git';
import { isPartial } from './merge-by-recipe';
import type { Skip } from './squash';
import { listChanges, readSizes } from './tree-changes';

/** A disk that lacks less than this is the fault of the machine, whatever the commit has. */
const MORE_BYTES_MAX = 2 ** 30;
/** The mode of a submodule, whose files are another repository's. */
const SUBMODULE = '160000';

/**
 * Finds out whether the files of a commit are larger than the disk, beyond those that they replace. Files of a gigabyte are
 * small in a pack, and git would fill the disk before it fails. Found before the checkout, because a disk that is full looks like
 * a fault of the machine, which the next source would meet too. What a filter such as git-lfs adds to a file is not counted.
 *
 * @param onto the commit that is checked out
 * @returns why the source is skipped; undefined if its files fit
 */
export async function findFilesTooLarge(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
): Promise<Skip | undefined> {
  // git would fetch each file that a partial clone lacks.
  if (await isPartial(git)) return undefined;
  const bytes = await countMoreBytes(git, { onto, commit });
  const { bavail, bsize } = await statfs(git.folder);
  if (bytes <= Math.max(MORE_BYTES_MAX, bavail * bsize)) return undefined;
  const [needed, free] = [bytes, bavail * bsize].map((each) => `${Math.floor(each / MEBIBYTE)} MiB`);
  return {
    reason: 'unusable',
    detail: `its files need ${needed} more than the target's, and the disk has ${free}`,
  };
}

const MEBIBYTE = 1024 * 1024;

/** The bytes of a commit's files without those of another one. */
async function countMoreBytes(git: Git, compared: { onto: string; commit: string }): Promise<number> {
  /** How many more files of the commit have the content. */
  const more = new Map<string, number>();
  for (const { oldMode, newMode, oldId, newId } of await listChanges(git, compared)) {
    if (newMode !== SUBMODULE) more.set(newId, (more.get(newId) ?? 0) + 1);
    if (oldMode !== SUBMODULE) more.set(oldId, (more.get(oldId) ?? 0) - 1);
  }
  const sizes = await readSizes(git, more.keys());
  return [...sizes].reduce((sum, [id, size]) => sum + (more.get(id) ?? 0) * size, 0);
}
