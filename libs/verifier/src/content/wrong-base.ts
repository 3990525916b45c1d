import type { ObjectStore } from '../changes/object-store';
import type { Versions } from '../merge/versions';
import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { type LandedPath, pathOn, withVersion } from './landed-path';
import type { Contradictions, PathJudge } from './path-judge';

/** Trees that are compared at once. */
const BATCH = 512;

/** A commit of the target before the landed commit's parent. */
export interface OlderCommit {
  commitId: string;
  treeId: string;
}

/** The searched commits, newest first: the target's since the branches parted, with the one at which they parted. */
export interface OlderCommits {
  store: ObjectStore;
  judge: PathJudge;
  /** Of the landing, by id; `ours` is that of the landed commit's parent. */
  trees: Required<Versions<string>>;
  commits: readonly OlderCommit[];
}

/**
 * Finds the older commit of the target onto which a whole landing was made. At each of the paths the landed commit
 * equals the merge onto the older commit. Elsewhere the older commit equals the landed one's parent, or the source before
 * it made the same change as the target. The landing then takes back all that the target did since. A conflict decided
 * by hand for one side does not match, because the rest of the target's work is there. A commit with a clean merge is
 * preferred. In another merge, a conflict counts as equal if it was decided for the source, or if the merge onto the
 * parent has it as well, so that its decision proves nothing.
 *
 * @param paths the paths that differ from the merge onto the parent
 * @throws RemoteFailure
 */
export async function findWrongBase(
  paths: readonly LandedPath[],
  older: OlderCommits,
): Promise<OlderCommit | undefined> {
  const { judge, commits, trees } = older;
  let decided: OlderCommit | undefined;
  let anyhow: Map<string, Contradictions> | undefined;
  for (let start = 0; start < commits.length; start += BATCH) {
    const batch = commits.slice(start, start + BATCH).filter(({ treeId }) => treeId !== trees.ours);
    for (const { older: commit, entries } of await keepAlikeElsewhere(batch, paths, older)) {
      const onto = pathsOnto(paths, entries);
      // A commit that has all of the source is no base of a landing, but an earlier landing that was reverted since.
      const ofSource = onto.filter(({ base, theirs }) => !isSameEntry(base, theirs));
      const isThere = ofSource.length > 0 && ofSource.every(({ ours, landed }) => isSameEntry(ours, landed));
      if (entries.size === 0 || isThere) continue;
      await judge.loadMerges(onto);
      if (onto.every((path) => judge.isAsMerged(path))) return commit;
      if (decided !== undefined) continue;
      await judge.loadAll(onto);
      anyhow ??= new Map(paths.map((path) => [path.path, judge.contradictionsIn(path)]));
      if (onto.every((path) => judge.isAsMergedForSource(path, anyhow?.get(path.path)))) decided = commit;
    }
  }
  return decided;
}

/** A directory in which the older commit and the landed one's parent differ: its tree ids, absent if it is no directory. */
interface Place extends Versions<string> {
  prefix: string;
  older?: string;
}

interface Comparison {
  older: OlderCommit;
  places: Place[];
  /** The older commit's entries at the paths, without those that equal the parent's. */
  entries: Map<string, TreeEntry | undefined>;
}

/**
 * Keeps the commits whose tree equals the parent's except at the paths. Level by level, one request a level for all.
 */
async function keepAlikeElsewhere(
  batch: readonly OlderCommit[],
  paths: readonly LandedPath[],
  { store, trees }: OlderCommits,
): Promise<Comparison[]> {
  const names = new Set(
    paths.flatMap((path) => [pathOn('ours', path), path.path, path.renamedFrom ?? path.path]),
  );
  const folders = new Set([...names].flatMap(foldersOf));
  let left = batch.map((older): Comparison => ({
    older,
    places: [{ prefix: '', older: older.treeId, ...trees }],
    entries: new Map(),
  }));
  while (left.some(({ places }) => places.length > 0)) {
    const ids = left.flatMap(({ places }) => places.flatMap((place) => SIDES.map((side) => place[side])));
    await store.load([...new Set(ids.filter((id) => id !== undefined))]);
    const search = { names, folders, store, known: new Map<string, Tree>() };
    const compared = new Map<string, Differing | undefined>();
    const compare = (place: Place) => {
      // Most of the older commits have a directory alike: it is compared once.
      const key = `${place.prefix} ${place.older}`;
      const differing = compared.has(key) ? compared.get(key) : comparePlace(place, search);
      compared.set(key, differing);
      return differing;
    };
    left = left.flatMap((each) => descend(each, compare) ?? []);
  }
  return left;
}

const SIDES = ['older', 'base', 'ours', 'theirs', 'landed'] as const;

/** What the older commit has in one place beside the four trees of the landing. */
type Entry = Versions<TreeEntry> & { older?: TreeEntry };

type Tree = ReadonlyMap<string, TreeEntry>;
const NO_TREE: Tree = new Map();

interface Search {
  /** The paths, and the folders above them. */
  names: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  store: ObjectStore;
  /** Trees of the landing, which every older commit is compared with. */
  known: Map<string, Tree>;
}

/** What differs in one place: files among the paths, and directories to be compared in their turn. */
interface Differing {
  files: [path: string, entry: TreeEntry | undefined][];
  places: Place[];
}

function descend(
  { older, places, entries }: Comparison,
  compare: (place: Place) => Differing | undefined,
): Comparison | undefined {
  const next: Comparison = { older, places: [], entries };
  for (const place of places) {
    const differing = compare(place);
    if (differing === undefined) return undefined;
    for (const [path, entry] of differing.files) entries.set(path, entry);
    for (const each of differing.places) next.places.push(each);
  }
  return next;
}

/** @returns undefined if a path outside of the landing differs */
function comparePlace(place: Place, search: Search): Differing | undefined {
  const { names, folders } = search;
  const differing: Differing = { files: [], places: [] };
  for (const [name, entry] of entriesIn(place, search)) {
    const path = `${place.prefix}${name}`;
    const [files, directories] = split(entry);
    if (files.older !== undefined || files.ours !== undefined) {
      if (names.has(path)) differing.files.push([path, files.older]);
      else if (!isMadeAlike(files)) return undefined;
    }
    if (directories.older === undefined && directories.ours === undefined) continue;
    if (!folders.has(path) && directories.base === directories.theirs) return undefined;
    differing.places.push({ prefix: `${path}/`, ...directories });
  }
  return differing;
}

/** The entries of a place, by name, in which the older commit differs from the landed one's parent. */
function* entriesIn(place: Place, search: Search): Generator<[name: string, entry: Entry]> {
  const older = treeOf(place, 'older', search);
  const ours = treeOf(place, 'ours', search);
  const trees = SIDES.map((side) => [side, side === 'older' ? older : treeOf(place, side, search)] as const);
  for (const name of new Set([...older.keys(), ...ours.keys()])) {
    if (isSameEntry(older.get(name), ours.get(name))) continue;
    const entry: Entry = {};
    for (const [side, tree] of trees) {
      const found = tree.get(name);
      if (found !== undefined) entry[side] = found;
    }
    yield [name, entry];
  }
}

function treeOf(place: Place, side: (typeof SIDES)[number], { store, known }: Search): Tree {
  const id = place[side];
  if (id === undefined) return NO_TREE;
  const tree = known.get(id) ?? readTree(store.read(id, 'tree'));
  if (side !== 'older') known.set(id, tree);
  return tree;
}

/** Splits an entry into its files, and the ids of its directories. */
function split(entry: Entry): [files: Entry, directories: Omit<Place, 'prefix'>] {
  const files: Entry = {};
  const directories: Omit<Place, 'prefix'> = {};
  for (const side of SIDES) {
    const each = entry[side];
    if (each === undefined) continue;
    if (isDirectory(each)) directories[side] = each.id;
    else files[side] = each;
  }
  return [files, directories];
}

/** The target later made the source's change as well, so onto the older commit the source alone brings it. */
const isMadeAlike = ({ older, base, ours, theirs, landed }: Entry): boolean =>
  isSameEntry(older, base) && isSameEntry(ours, theirs) && isSameEntry(landed, theirs);

type Entries = Comparison['entries'];

/** The paths with the older commit in place of the landed one's parent. */
function pathsOnto(paths: readonly LandedPath[], entries: Entries): LandedPath[] {
  const leftBehind = new Map(paths.filter(isBare).map((path) => [path.path, path]));
  const moved = paths.filter(({ renamedFrom }) => renamedFrom !== undefined);
  const places = new Set(moved.map(({ renamedFrom }) => renamedFrom));
  return [
    ...moved.flatMap((path) => {
      const old = leftBehind.get(path.renamedFrom ?? '');
      if (isMovedSince(path, entries)) return apart(path, old?.landed, entries);
      // The older commit's entry at the old path is a version of the moved file.
      return [withOlder(path, entries), ...(old ? [old] : [])];
    }),
    ...paths
      .filter((path) => path.renamedFrom === undefined && !(isBare(path) && places.has(path.path)))
      .map((path) => withOlder(path, entries)),
  ];
}

/** Whether the base and both sides lack the path. */
const isBare = ({ base, ours, theirs }: LandedPath): boolean => !base && !ours && !theirs;

/** Whether the target moved the file after the older commit. On that commit the file would land at its old path. */
function isMovedSince(path: LandedPath, entries: Entries): boolean {
  return path.renamedBy === 'ours' && olderEntry(path.path, path.ours, entries) === undefined;
}

/** Splits a moved file into its new path, and its old path with the older commit's entry. */
function apart(
  { path, renamedFrom = '', base, theirs, landed }: LandedPath,
  landedInOldPlace: TreeEntry | undefined,
  entries: Entries,
): LandedPath[] {
  const ours = entries.get(renamedFrom);
  return [
    { path, landed },
    {
      path: renamedFrom,
      base,
      ours,
      theirs,
      landed: landedInOldPlace,
    },
  ];
}

function withOlder(path: LandedPath, entries: Entries): LandedPath {
  const entry = olderEntry(pathOn('ours', path), path.ours, entries);
  // Both moved it, so before the target's move the older commit has the file at the old path.
  const before = path.renamedBy === 'both' ? entries.get(path.renamedFrom ?? '') : undefined;
  return withVersion(path, 'ours', entry ?? before);
}

/** The entry of the older commit. `entries` leaves out those that equal the parent's. */
function olderEntry(name: string, parent: TreeEntry | undefined, entries: Entries): TreeEntry | undefined {
  return entries.has(name) ? entries.get(name) : parent;
}

/** Every folder above a path, without a trailing slash. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
