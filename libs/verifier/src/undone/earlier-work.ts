import type { Budget } from '../budget';
import { renamesBetween } from '../merge/moved-paths';
import { type FileChange, filesOf, readChangeSet } from '../objects/change-set';
import { changesAt } from '../objects/changes-at';
import type { ObjectStore } from '../objects/object-store';
import type { TargetCommit } from '../objects/target-commits';
import type { TreeEntry } from '../pack/tree';
import { followMoves, LANDINGS_OF_PATH_MAX } from './follow-moves';

/** A path that a landing changes, with its entries in the target before and in the landed tree. */
export interface LandedPath {
  path: string;
  /** Its path in the landed tree: another one if the landing moved the file. */
  landedPath: string;
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
      const rename = renames.get(path);
      return { path, landedPath: rename?.path ?? path, target: base, landed: rename?.entry ?? source };
    });
}

/**
 * Finds the earlier landings that changed paths of a landing, under the names that the files had.
 *
 * @param landings newest first
 * @returns the work, newest first at each path, and whether all landings were compared
 * @throws RemoteFailure
 */
export async function findEarlierWork(
  paths: readonly LandedPath[],
  landings: readonly TargetCommit[],
  { store, budget }: Reading,
): Promise<{ work: EarlierWork[]; isComplete: boolean }> {
  const wanted = { paths: paths.map(({ path }) => path), max: LANDINGS_OF_PATH_MAX };
  const { changes, isComplete } = await changesAt(store, landings, wanted);
  const works = paths.map((at) =>
    (changes.get(at.path) ?? []).map(({ pair: { commitId }, old, made }) => ({ commitId, at, old, made })),
  );
  const followed = await followMoves(works, landings, { store, budget });
  return { work: followed.works.flat(), isComplete: isComplete && followed.isComplete };
}
