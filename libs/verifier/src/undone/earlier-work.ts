import type { Budget } from '../budget';
import { renamesBetween } from '../merge/moved-paths';
import { type FileChange, filesOf, readChangeSet } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import type { TargetCommit } from '../objects/target-commits';
import { isSameEntry, type TreeEntry } from '../pack/tree';

/** Most entries that are read: two trees a landing, times the paths. */
const ENTRIES_MAX = 200_000;
/** Most landings of one path. A file that every landing changes has few lines of older ones. */
const LANDINGS_OF_PATH_MAX = 32;

/** A path that a landing changes, with its entries in the target before and in the landed tree. */
export interface LandedPath {
  path: string;
  target: TreeEntry | undefined;
  landed: TreeEntry | undefined;
}

/** An earlier landing's change of such a path. */
export interface EarlierWork {
  commitId: string;
  at: LandedPath;
  /** The entries before and after the earlier landing. */
  old: TreeEntry | undefined;
  made: TreeEntry | undefined;
}

interface Reading {
  store: ObjectStore;
  budget: Budget;
}

/**
 * Reads the paths that a landing changes. A file that it moved counts as one path, the old one.
 *
 * @param trees ids
 * @throws RemoteFailure
 */
export async function readLandedPaths(
  { target, landed }: { target: string; landed: string },
  { store, budget }: Reading,
): Promise<LandedPath[]> {
  const changes = await readChangeSet(store, { baseTreeId: target, sourceTreeId: landed }, budget.caps);
  const files = changes === undefined ? [] : filesOf(changes);
  const removed = files.filter(({ source }) => source === undefined).map(({ path }) => path);
  const moved = await renamesBetween({ base: target, changed: landed }, new Set(removed), { store, budget });
  // If the renames are unclear, each removed file counts as removed.
  const renames = moved === 'unclear' ? new Map<string, never>() : moved;
  const arrived = new Set([...renames.values()].map(({ path }) => path));
  return files
    .filter(({ path, base }) => base !== undefined || !arrived.has(path))
    .map(({ path, base, source }: FileChange) => {
      return { path, target: base, landed: renames.get(path)?.entry ?? source };
    });
}

/**
 * Finds the earlier landings that changed paths of a landing.
 *
 * @param landings newest first; only the newest are compared if there are too many paths
 * @returns the work, newest first at each path, and whether all landings were compared
 * @throws RemoteFailure
 */
export async function findEarlierWork(
  paths: readonly LandedPath[],
  landings: readonly TargetCommit[],
  store: ObjectStore,
): Promise<{ work: EarlierWork[]; isComplete: boolean }> {
  if (paths.length === 0) return { work: [], isComplete: true };
  const newest = landings.slice(0, Math.max(1, Math.floor(ENTRIES_MAX / 2 / paths.length)));
  const treeIds = [...new Set(newest.flatMap(({ before, treeId }) => [before, treeId]))];
  const entries = await entriesAt(
    store,
    treeIds,
    paths.map(({ path }) => path),
  );
  const works = paths.map((at) =>
    newest.flatMap(({ commitId, before, treeId }): EarlierWork[] => {
      const [old, made] = [before, treeId].map((id) => entries.get(id)?.get(at.path));
      return isSameEntry(old, made) ? [] : [{ commitId, at, old, made }];
    }),
  );
  const isComplete =
    newest.length === landings.length && works.every(({ length }) => length <= LANDINGS_OF_PATH_MAX);
  return { work: works.flatMap((of) => of.slice(0, LANDINGS_OF_PATH_MAX)), isComplete };
}
