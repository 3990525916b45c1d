import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import { isText, splitLines } from '../merge/text';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { TextLimits } from '../text-limits';
import { type LandedPath, pathOn } from './landed-path';

/** Most commits of either branch whose versions of a path are read, the newest ones. */
const COMMITS_MAX = 1_024;
/** Most versions of one path that are compared by lines, the newest ones. */
const VERSIONS_MAX = 64;

/** Trees of the commits that each side made since the branches parted, newest first, without those of the tips. */
export interface EarlierTrees {
  ours: readonly string[];
  theirs: readonly string[];
}

/** An earlier version of a path on one side. */
export interface EarlierVersion {
  /** Absent if the side had no file there. */
  entry?: TreeEntry;
  /** Tree of the commit that brought the version, and of its parent. */
  treeId: string;
  parentTreeId: string | undefined;
}

/** The versions of some paths on one side, newest first, each once. */
export type EarlierVersions = ReadonlyMap<LandedPath, readonly EarlierVersion[]>;

/**
 * Reads the versions of some paths in earlier commits of one side, without those of the base and the side's tip.
 * @throws RemoteFailure
 */
export async function earlierVersions(
  store: ObjectStore,
  paths: readonly LandedPath[],
  { side, treeIds }: { side: 'ours' | 'theirs'; treeIds: readonly string[] },
): Promise<EarlierVersions> {
  if (paths.length === 0) return new Map();
  // A side that renamed the file has its earlier versions at the old path.
  const namesOf = (path: LandedPath) => [pathOn(side, path), path.renamedFrom ?? path.path];
  const newest = treeIds.slice(0, COMMITS_MAX);
  const trees = await entriesAt(store, [...new Set(newest)], [...new Set(paths.flatMap(namesOf))]);
  return new Map(
    paths.map((path) => {
      const versions = new Map<string, EarlierVersion>();
      for (const [index, treeId] of newest.entries()) {
        const entry = namesOf(path).flatMap((name) => trees.get(treeId)?.get(name) ?? [])[0];
        if (isSameEntry(entry, path.base) || isSameEntry(entry, path[side])) continue;
        const parentTreeId = newest[index + 1];
        // The oldest commit with a version is the one that brought it.
        versions.set(`${entry?.mode} ${entry?.id}`, { entry, treeId, parentTreeId });
      }
      return [path, [...versions.values()]];
    }),
  );
}

/** Fetches the newest versions that are text, and returns them as lines. @throws RemoteFailure */
export async function textsOfVersions(
  store: ObjectStore,
  versions: readonly EarlierVersion[],
  limits: TextLimits,
): Promise<string[][]> {
  const files = versions.flatMap(({ entry }) => (entry && isRegularFile(entry) ? entry.id : []));
  const newest = [...new Set(files)].slice(0, VERSIONS_MAX);
  await store.load(newest);
  const contents = newest.map((id) => store.read(id, 'blob'));
  return contents.flatMap((content) => (isText(content, limits) ? [splitLines(content)] : []));
}
