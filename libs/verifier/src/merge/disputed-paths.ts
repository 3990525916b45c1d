import type { ObjectStore } from '../objects/object-store';
import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { PathVersions } from './path-versions';
import type { Versions } from './versions';

interface Place extends Versions<string> {
  path: string;
}

const SIDES = ['base', 'ours', 'theirs', 'landed'] as const;

/**
 * Compares the four trees and leaves out every change that only one side made and that landed as it is. Reads only
 * directories that differ in another way, level by level, with one request for each level.
 *
 * @throws RemoteFailure
 */
export async function findDisputedPaths(
  store: ObjectStore,
  treeIds: Required<Versions<string>>,
  caps: { changedPaths: number },
): Promise<PathVersions[]> {
  const found: PathVersions[] = [];
  let count = 0;
  for (let level: Place[] = [{ path: '', ...treeIds }].filter(isDisputedPlace); level.length > 0;) {
    await store.load(level.flatMap((place) => SIDES.flatMap((side) => place[side] ?? [])));
    const next = level.flatMap((place) => comparePlace(store, place, found));
    count += next.length;
    if (count + found.length > caps.changedPaths) throw tooLarge('too many paths differ');
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

function comparePlace(store: ObjectStore, place: Place, found: PathVersions[]): Place[] {
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
    return isDisputed(versions, isSameEntry) ? compareEntry(`${place.path}${name}`, versions, found) : [];
  });
}

/** Records a file, or returns a directory to compare next. */
function compareEntry(path: string, versions: Versions<TreeEntry>, found: PathVersions[]): Place[] {
  const directories: Versions<string> = {};
  const files: Versions<TreeEntry> = {};
  for (const side of SIDES) {
    const entry = versions[side];
    if (entry === undefined) continue;
    if (isDirectory(entry)) directories[side] = entry.id;
    else files[side] = entry;
  }
  if (isFileAgainstDirectory(versions)) found.push({ path, ...files, isUnjudged: true });
  else if (isDisputed(files, isSameEntry)) found.push({ path, ...files });
  const hasDirectories = Object.keys(directories).length > 0;
  return hasDirectories && isDisputedPlace(directories) ? [{ path: `${path}/`, ...directories }] : [];
}

/** Whether both sides changed a path, one to a file and the other one to a directory. */
function isFileAgainstDirectory({ base, ours, theirs }: Versions<TreeEntry>): boolean {
  const isChanged = !isSameEntry(ours, base) && !isSameEntry(theirs, base);
  return isChanged && ours !== undefined && theirs !== undefined && isDirectory(ours) !== isDirectory(theirs);
}
