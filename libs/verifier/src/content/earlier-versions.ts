import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import { isText, splitLines, type TextLimits } from '../merge/text';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { type LandedPath, pathOn } from './landed-path';

/** Commits of either branch whose versions of a path are looked at, the newest ones. */
const COMMITS_MAX = 1_024;
/** Versions of one path that are compared by lines, the newest ones. */
const VERSIONS_MAX = 64;

/** Trees of the commits that each side made since they parted, newest first, without the tips themselves. */
export interface EarlierTrees {
  ours: readonly string[];
  theirs: readonly string[];
}

/** What the commits of one side had at some paths, newest first, each version once. */
export type EarlierEntries = ReadonlyMap<LandedPath, readonly (TreeEntry | undefined)[]>;

/**
 * What earlier commits of one side had at some paths, without what the base and the side's tip have there.
 * @throws RemoteFailure
 */
export async function earlierEntries(
  store: ObjectStore,
  paths: readonly LandedPath[],
  { side, treeIds }: { side: 'ours' | 'theirs'; treeIds: readonly string[] },
): Promise<EarlierEntries> {
  if (paths.length === 0) return new Map();
  // A side that renamed the file had it in its old place before.
  const namesOf = (path: LandedPath) => [pathOn(side, path), path.renamedFrom ?? path.path];
  const trees = await entriesAt(
    store,
    [...new Set(treeIds.slice(0, COMMITS_MAX))],
    [...new Set(paths.flatMap(namesOf))],
  );
  return new Map(
    paths.map((path) => {
      const versions = new Map<string, TreeEntry | undefined>();
      for (const tree of trees.values()) {
        const entry = namesOf(path).flatMap((name) => tree.get(name) ?? [])[0];
        if (isSameEntry(entry, path.base) || isSameEntry(entry, path[side])) continue;
        versions.set(`${entry?.mode} ${entry?.id}`, entry);
      }
      return [path, [...versions.values()]];
    }),
  );
}

/** The newest of them that are texts, as lines. Fetches them. @throws RemoteFailure */
export async function textsOfEntries(
  store: ObjectStore,
  entries: readonly (TreeEntry | undefined)[],
  limits: TextLimits,
): Promise<string[][]> {
  const files = entries.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : []));
  const newest = [...new Set(files)].slice(0, VERSIONS_MAX);
  await store.load(newest);
  const contents = newest.map((id) => store.read(id, 'blob'));
  return contents.flatMap((content) => (isText(content, limits) ? [splitLines(content)] : []));
}
