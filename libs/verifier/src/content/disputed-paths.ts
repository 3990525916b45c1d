import type { ObjectStore } from '../changes/object-store';
import type { Versions } from '../merge/versions';
import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { LandedPath } from './landed-path';

export interface DisputedPaths {
  paths: LandedPath[];
  /**
   * Set if git would search renames further: a file replaces a directory, or was added to one that the other side
   * moved.
   */
  isUnclear: boolean;
}

interface Place extends Versions<string> {
  path: string;
  /** The side that lacks a directory of the base. */
  removedBy?: 'ours' | 'theirs';
}

const SIDES = ['base', 'ours', 'theirs', 'landed'] as const;

/**
 * Compares the four trees and leaves out every change that only one side made and that landed as it is. Reads only
 * directories that differ in another way, level by level, one request a level.
 *
 * @throws RemoteFailure
 */
export async function findDisputedPaths(
  store: ObjectStore,
  treeIds: Required<Versions<string>>,
  caps: { changedPaths: number },
): Promise<DisputedPaths> {
  const found: DisputedPaths = { paths: [], isUnclear: false };
  let count = 0;
  for (let level: Place[] = [{ path: '', ...treeIds }].filter(isDisputedPlace); level.length > 0;) {
    await store.load(level.flatMap((place) => SIDES.flatMap((side) => place[side] ?? [])));
    const next = level.flatMap((place) => comparePlace(store, place, found));
    count += next.length;
    if (count + found.paths.length > caps.changedPaths) throw tooLarge('too many paths differ');
    level = next;
  }
  return found;
}

/** Whether a path is more than a change of one side that landed as it is. */
function isDisputed<Thing>(
  { base, ours, theirs, landed }: Versions<Thing>,
  isSame: (one?: Thing, other?: Thing) => boolean,
): boolean {
  return !((isSame(theirs, base) && isSame(ours, landed)) || (isSame(ours, base) && isSame(theirs, landed)));
}

const isDisputedPlace = (place: Versions<string>): boolean =>
  isDisputed(place, (one, other) => one === other);

function comparePlace(store: ObjectStore, place: Place, found: DisputedPaths): Place[] {
  const entries = new Map(
    SIDES.map((side) => {
      const id = place[side];
      return [side, id === undefined ? new Map<string, TreeEntry>() : readTree(store.read(id, 'tree'))];
    }),
  );
  const names = new Set([...entries.values()].flatMap((tree) => [...tree.keys()]));
  return [...names].flatMap((name) => {
    const versions: Versions<TreeEntry> = {};
    for (const side of SIDES) {
      const entry = entries.get(side)?.get(name);
      if (entry !== undefined) versions[side] = entry;
    }
    if (!isDisputed(versions, isSameEntry)) return [];
    return compareEntry({ ...place, path: `${place.path}${name}` }, versions, found);
  });
}

/** Records a file, or returns a directory to compare next. */
function compareEntry(
  { path, removedBy }: Place,
  versions: Versions<TreeEntry>,
  found: DisputedPaths,
): Place[] {
  const directories: Versions<string> = {};
  const files: Versions<TreeEntry> = {};
  for (const side of SIDES) {
    const entry = versions[side];
    if (entry === undefined) continue;
    if (isDirectory(entry)) directories[side] = entry.id;
    else files[side] = entry;
  }
  const [hasDirectories, hasFiles] = [directories, files].map((some) => Object.keys(some).length > 0);
  if (hasDirectories && hasFiles) found.isUnclear = true;
  if (hasFiles && isDisputed(files, isSameEntry)) {
    const isAdded = files.base === undefined && (files.ours === undefined) !== (files.theirs === undefined);
    const isBelowRemoved = removedBy !== undefined && isAdded;
    if (isBelowRemoved) found.isUnclear = true;
    found.paths.push({ path, ...files, isBelowRemoved: isBelowRemoved || undefined });
  }
  if (!hasDirectories || !isDisputedPlace(directories)) return [];
  return [{ path: `${path}/`, ...directories, ...removal(directories, removedBy) }];
}

function removal(
  { base, ours, theirs }: Versions<string>,
  above: Place['removedBy'],
): Pick<Place, 'removedBy'> {
  if (above !== undefined) return { removedBy: above };
  if (base === undefined || (ours === undefined) === (theirs === undefined)) return {};
  return { removedBy: ours === undefined ? 'ours' : 'theirs' };
}
