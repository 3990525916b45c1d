import { isDirectory, readTree, type TreeEntry } from '../pack/tree';
import type { ObjectStore } from './object-store';

/**
 * Reads the entries of several trees at several paths. Directories are read level by level, with one request for each
 * level for all trees.
 * @returns entries by tree and path, without the paths that a tree lacks
 * @throws RemoteFailure
 */
export async function entriesAt(
  store: ObjectStore,
  treeIds: readonly string[],
  paths: readonly string[],
): Promise<Map<string, Map<string, TreeEntry>>> {
  const found = new Map(treeIds.map((id) => [id, new Map<string, TreeEntry>()]));
  let level = [...found.keys()].flatMap((root) =>
    paths.map((path) => ({ root, treeId: root, path, depth: 0 })),
  );
  while (level.length > 0) {
    await store.load(level.map(({ treeId }) => treeId));
    const trees = readTrees(level, store);
    level = level.flatMap(({ root, treeId, path, depth }) => {
      const names = path.split('/');
      const entry = trees.get(treeId)?.get(names[depth] ?? '');
      if (entry === undefined) return [];
      const isLast = depth === names.length - 1;
      if (isLast && !isDirectory(entry)) found.get(root)?.set(path, entry);
      return !isLast && isDirectory(entry) ? [{ root, treeId: entry.id, path, depth: depth + 1 }] : [];
    });
  }
  return found;
}

/** Reads each tree once, and only the names that are asked for. */
function readTrees(
  places: readonly { treeId: string; path: string; depth: number }[],
  store: ObjectStore,
): Map<string, Map<string, TreeEntry>> {
  const wanted = new Map<string, Set<string>>();
  for (const { treeId, path, depth } of places) {
    const names = wanted.get(treeId) ?? new Set<string>();
    wanted.set(treeId, names.add(path.split('/')[depth] ?? ''));
  }
  return new Map([...wanted].map(([id, names]) => [id, readTree(store.read(id, 'tree'), names)]));
}
