import type { Budget } from '../budget';
import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import { isText, splitLines } from '../merge/text';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { TextLimits } from '../text-limits';
import { type LandedPath, pathOn } from './landed-path';
import { renamesBetween } from './moved-paths';

/** Most commits of either branch whose versions of a path are read, the newest ones. */
const COMMITS_MAX = 1_024;
/** Most versions of one path that are compared by lines, the newest ones. */
const VERSIONS_MAX = 64;

/** Most commits in which a renamed file is searched at further paths, the newest ones. */
const BETWEEN_MAX = 32;

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

/** The commits of one side in which versions are read. */
interface Side {
  side: 'ours' | 'theirs';
  treeIds: readonly string[];
  /** Tree of the merge base. */
  base: string;
}

/**
 * Reads the versions of some paths in earlier commits of one side, without those of the base and the side's tip.
 * @throws RemoteFailure
 */
export async function earlierVersions(
  store: ObjectStore,
  paths: readonly LandedPath[],
  { side, treeIds, base, budget }: Side & { budget: Budget },
): Promise<EarlierVersions> {
  if (paths.length === 0) return new Map();
  // A side that renamed the file has its earlier versions at the old path.
  const namesOf = (path: LandedPath) => [pathOn(side, path), path.renamedFrom ?? path.path];
  const newest = treeIds.slice(0, COMMITS_MAX);
  const trees = await entriesAt(store, [...new Set(newest)], [...new Set(paths.flatMap(namesOf))]);
  const entryIn = (treeId: string, path: LandedPath) =>
    namesOf(path).flatMap((name) => trees.get(treeId)?.get(name) ?? [])[0];
  const moved = paths.filter(({ renamedBy }) => renamedBy === side || renamedBy === 'both');
  const isBetween = (treeId: string) => moved.some((path) => entryIn(treeId, path) === undefined);
  const between = new Map<string, ReadonlyMap<string, TreeEntry>>();
  for (const treeId of [...trees.keys()].filter(isBetween).slice(0, BETWEEN_MAX)) {
    between.set(treeId, await movedEntries(moved, { base, changed: treeId }, { store, budget }));
  }
  return new Map(
    paths.map((path) => {
      const versions = new Map<string, EarlierVersion>();
      for (const [index, treeId] of newest.entries()) {
        const entry = entryIn(treeId, path) ?? between.get(treeId)?.get(path.renamedFrom ?? '');
        if (isSameEntry(entry, path.base) || isSameEntry(entry, path[side])) continue;
        const parentTreeId = newest[index + 1];
        // The oldest commit with a version is the one that brought it.
        versions.set(`${entry?.mode} ${entry?.id}`, { entry, treeId, parentTreeId });
      }
      return [path, [...versions.values()]];
    }),
  );
}

/** The entries of renamed files at the paths that they have in one commit, by the path in the base. */
async function movedEntries(
  moved: readonly LandedPath[],
  trees: { base: string; changed: string },
  reading: { store: ObjectStore; budget: Budget },
): Promise<ReadonlyMap<string, TreeEntry>> {
  const wanted = new Set(moved.flatMap(({ renamedFrom }) => renamedFrom ?? []));
  const renames = await renamesBetween(trees, wanted, reading);
  return new Map(renames === 'too_many' ? [] : [...renames].map(([path, { entry }]) => [path, entry]));
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
