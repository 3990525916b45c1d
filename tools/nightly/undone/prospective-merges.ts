import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { git } from '@plat/testing';
import { mergeAll, treesOf } from '../repositories/merge-witness';
import type { MergedPull } from '../repositories/pulls';

/** The merge of a pull request onto the commit before its landing, as plat makes it before it pushes. */
export interface ProspectiveMerge {
  pull: MergedPull;
  /** Undefined if the merge is in conflict. */
  tree: string | undefined;
  /** Whether it differs from the commit before. */
  changes: boolean;
  /** Whether this tree landed. Another one was made by hand, or from another commit than the pull request's last. */
  isAsLanded: boolean;
}

/** Makes the merges in a repository of its own, over the objects of a clone, which is only read. */
export async function prospectiveMerges(
  clone: string,
  pulls: readonly MergedPull[],
): Promise<{ all: ProspectiveMerge[]; folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-undone-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await git(folder, ['init', '--quiet', '--bare', '.']);
    const objects = await git(resolve(clone), ['rev-parse', '--git-path', 'objects']);
    await writeFile(join(folder, 'objects', 'info', 'alternates'), `${resolve(clone, objects)}\n`);
    const merged = await mergeAll(
      folder,
      pulls.map(({ parent, source }) => [parent, source]),
    );
    const trees = await treesOf(
      folder,
      pulls.flatMap(({ parent, landed }) => [parent, landed]),
    );
    const all = pulls.map((pull, index): ProspectiveMerge => {
      const [before, landed] = trees.slice(2 * index, 2 * index + 2);
      const tree = merged[index];
      return { pull, tree, changes: tree !== before, isAsLanded: tree === landed };
    });
    return { all, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
