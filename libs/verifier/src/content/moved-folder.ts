import type { ObjectStore } from '../changes/object-store';
import { isDirectory, readTree, type TreeEntry } from '../pack/tree';

/** Two folders by the names on the way to them from the root. */
export interface Folders {
  from: readonly string[];
  to: readonly string[];
}

/**
 * Whether a side moved a folder, or one above it: it has a file of the folder's in the new one, under the file's own name,
 * and the base had none there. A file may have changed meanwhile.
 *
 * @throws RemoteFailure
 */
export async function isFolderMoved(
  store: ObjectStore,
  { from, to }: Folders,
  trees: { base: string; mover: string },
): Promise<boolean> {
  const [old, before, after] = [
    await filesIn(store, trees.base, from),
    await filesIn(store, trees.base, to),
    await filesIn(store, trees.mover, to),
  ];
  if ([...old].some((name) => after.has(name) && !before.has(name))) return true;
  // `a/x` may have moved to `b/x` because `a` moved to `b`.
  const isSameName = from.length > 0 && to.length > 0 && from.at(-1) === to.at(-1);
  return isSameName && isFolderMoved(store, { from: from.slice(0, -1), to: to.slice(0, -1) }, trees);
}

/** The names of the files directly in a folder of a tree; none if there is no such folder. */
async function filesIn(store: ObjectStore, treeId: string, folder: readonly string[]): Promise<Set<string>> {
  let entries = await readFolder(store, treeId);
  for (const name of folder) {
    const entry = entries.get(name);
    entries = entry !== undefined && isDirectory(entry) ? await readFolder(store, entry.id) : new Map();
  }
  return new Set([...entries].filter(([, entry]) => !isDirectory(entry)).map(([name]) => name));
}

async function readFolder(store: ObjectStore, treeId: string): Promise<Map<string, TreeEntry>> {
  await store.load([treeId]);
  return readTree(store.read(treeId, 'tree'));
}
