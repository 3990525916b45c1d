import type { Git } from '../git/git';
import { listFiles } from './tree-size';

/** A folder whose files are counted, or one on the way to such a folder. */
interface Folder {
  files: number;
  inner: Map<string, Folder>;
}

/**
 * Counts the files of a commit below some folders, however deep, in proportion to the length of all paths: a hostile tree has
 * thousands of folders in one another.
 *
 * @param asked.folders paths; `.` is the root
 * @returns by folder; Infinity for each if git lists more than can be read
 */
export async function countFilesBelow(
  git: Git,
  { commit, folders }: { commit: string; folders: readonly string[] },
): Promise<Map<string, number>> {
  const listed = await listFiles(git, commit);
  if (listed === undefined) return new Map(folders.map((folder) => [folder, Infinity]));
  const root: Folder = { files: 0, inner: new Map() };
  const found = folders.map((folder) => [folder, makeFolder(root, folder)] as const);
  for (let at = 0, end = listed.indexOf(0); end >= 0; at = end + 1, end = listed.indexOf(0, at)) {
    countFile(root, listed.toString('utf8', at, end));
  }
  return new Map(found.map(([folder, { files }]) => [folder, files]));
}

function makeFolder(root: Folder, path: string): Folder {
  let folder = root;
  for (const name of path === '.' ? [] : path.split('/')) {
    const inner = folder.inner.get(name) ?? { files: 0, inner: new Map<string, Folder>() };
    folder.inner.set(name, inner);
    folder = inner;
  }
  return folder;
}

function countFile(root: Folder, path: string): void {
  let folder: Folder | undefined = root;
  for (const name of path.split('/')) {
    if (folder === undefined) return;
    folder.files += 1;
    folder = folder.inner.get(name);
  }
}
