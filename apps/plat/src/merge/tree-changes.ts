import type { Git } from '../git/git';
import { listed } from '../git/listed';

/** A path at which two commits differ. A side that has nothing there has a mode and an id of zeros. */
export interface TreeChange {
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  path: string;
}

/** The files at which a commit differs from another one. @throws Failure GIT_FAILED, GIT_OUTPUT_TOO_LARGE */
export async function listChanges(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
): Promise<TreeChange[]> {
  const compared = ['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', onto, commit];
  const fields = listed(await git.run(compared));
  const changes: TreeChange[] = [];
  // Each change is followed by its path, which may look like a change itself.
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = fields[at]!.slice(1).split(' ');
    changes.push({ oldMode, newMode, oldId, newId, path: fields[at + 1]! });
  }
  return changes;
}

/** The sizes of files by their ids, without those that are not here. */
export async function readSizes(git: Git, ids: Iterable<string>): Promise<Map<string, number>> {
  const sized = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const asked = [...new Set(ids)].filter((id) => /[^0]/.test(id));
  const lines = (await git.run(sized, asked.map((id) => `${id}\n`).join(''))).split('\n');
  const sizes = lines.map((line) => line.split(' ')).map(([id = '', size]) => [id, Number(size)] as const);
  return new Map(sizes.filter(([, size]) => Number.isFinite(size)));
}
