import type { ObjectStore } from '../changes/object-store';
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
  /** Tree of the landed commit's parent. */
  parentTreeId: string;
  commits: readonly OlderCommit[];
  /**
   * Whether the commits are older than the merge base. Then the target's state at a conflict may be theirs again, so
   * a conflict that the merge onto the parent has as well counts only if it was decided plainly.
   */
  isBefore?: boolean;
}

/** The paths of a landing that both sides changed, or that landed otherwise than one side changed them. */
export interface LandedPaths {
  /** Those that differ from the merge onto the parent. */
  open: readonly LandedPath[];
  others: readonly LandedPath[];
}

/** A commit of the target onto which the whole landing can have been made. */
export interface WrongBase {
  commit: OlderCommit;
  /** Whether the landing may equally have been made onto the parent, with its conflicts decided plainly. */
  isUnclear: boolean;
}

/**
 * Finds the older commit of the target onto which a whole landing was made. At each of the disputed paths the landed
 * commit equals the merge onto the older commit. Elsewhere the older commit equals the landed one's parent. The landing
 * then takes back all that the target did since at the open paths. A conflict decided by hand for one side does not
 * match, because the rest of the target's work is there. A commit with a clean merge is preferred. If a merge has
 * conflicts, each counts as equal if it was decided plainly, or if the merge onto the parent has it as well, so that
 * its decision proves nothing.
 *
 * @throws RemoteFailure
 */
export async function findWrongBase(
  { open, others }: LandedPaths,
  older: OlderCommits,
): Promise<WrongBase | undefined> {
  const { judge, commits, parentTreeId } = older;
  let decided: WrongBase | undefined;
  for (let start = 0; start < commits.length; start += BATCH) {
    const batch = commits.slice(start, start + BATCH).filter(({ treeId }) => treeId !== parentTreeId);
    for (const { older: commit, entries } of await keepAlikeElsewhere(batch, [...open, ...others], older)) {
      const differs = (path: LandedPath) => namesOf(path).some((name) => entries.has(name));
      // If only other paths differ, the target made the source's change itself, and the landing takes nothing back.
      if (!open.some(differs)) continue;
      const onto = pathsOnto([...open, ...others.filter(differs)], entries);
      // A commit that has all of the source is not the base, but an earlier landing that was reverted since.
      const ofSource = onto.filter(({ base, theirs }) => !isSameEntry(base, theirs));
      const isThere = ofSource.length > 0 && ofSource.every(({ ours, landed }) => isSameEntry(ours, landed));
      if (isThere) continue;
      await judge.loadMerges(onto);
      if (onto.every((path) => judge.isAsMerged(path))) return { commit, isUnclear: false };
      if (decided !== undefined && !decided.isUnclear) continue;
      await judge.loadAll(onto);
      const found = older.isBefore ? plainOnto(onto, judge) : decidedOnto(onto, open, judge);
      if (found !== undefined && !(decided && found.isUnclear)) decided = { commit, ...found };
    }
  }
  return decided;
}

/** Whether each conflict with the older commit was decided plainly, whatever the merge onto the parent has. */
const plainOnto = (
  onto: readonly LandedPath[],
  judge: PathJudge,
): Pick<WrongBase, 'isUnclear'> | undefined =>
  onto.every((path) => judge.isPlainlyDecided(path)) ? { isUnclear: false } : undefined;

/** Compares the decisions that the landing needs on the older commit with those that it needs on the parent. */
function decidedOnto(
  onto: readonly LandedPath[],
  open: readonly LandedPath[],
  judge: PathJudge,
): Pick<WrongBase, 'isUnclear'> | undefined {
  const [here, there] = [byPath(open, judge), byPath(onto, judge)];
  if (!onto.every((path) => judge.isPlainlyDecided(path, here.get(path.path)))) return undefined;
  const isPlainHere = open.every((path) => judge.isPlainlyDecided(path, there.get(path.path)));
  return { isUnclear: isPlainHere && countBesides(there, here) >= countBesides(here, there) };
}

type ByPath = ReadonlyMap<string, Contradictions>;

const byPath = (paths: readonly LandedPath[], judge: PathJudge): ByPath =>
  new Map(paths.map((path) => [path.path, judge.contradictionsIn(path)]));

/** Counts the conflicts that the other merge does not have. */
function countBesides(conflicts: ByPath, other: ByPath): number {
  return [...conflicts].reduce(
    (sum, [path, keys]) => sum + [...keys].filter((key) => other.get(path)?.has(key) !== true).length,
    0,
  );
}

/** The paths of the file in the trees of a landing. */
const namesOf = (path: LandedPath): string[] => [
  pathOn('ours', path),
  path.path,
  path.renamedFrom ?? path.path,
];

/**
 * The tree ids of a directory in which the older commit and the landed one's parent differ; absent where there is no
 * directory.
 */
interface Place {
  prefix: string;
  older?: string | undefined;
  parent?: string | undefined;
}

interface Comparison {
  older: OlderCommit;
  places: Place[];
  /** The older commit's entries at the paths, without those that equal the parent's. */
  entries: Map<string, TreeEntry | undefined>;
}

/**
 * Keeps the commits whose tree equals the parent's except at the paths. Compares the trees level by level, with one
 * request per level for all commits.
 */
async function keepAlikeElsewhere(
  batch: readonly OlderCommit[],
  paths: readonly LandedPath[],
  { store, parentTreeId }: OlderCommits,
): Promise<Comparison[]> {
  const names = new Set(paths.flatMap(namesOf));
  const folders = new Set([...names].flatMap(foldersOf));
  let left = batch.map((older): Comparison => ({
    older,
    places: [{ prefix: '', older: older.treeId, parent: parentTreeId }],
    entries: new Map(),
  }));
  while (left.some(({ places }) => places.length > 0)) {
    const ids = left.flatMap(({ places }) => places.flatMap(({ older, parent }) => [older, parent]));
    await store.load([...new Set(ids.filter((id) => id !== undefined))]);
    const search = { names, folders, store, known: new Map<string, Tree>() };
    const compared = new Map<string, Differing | undefined>();
    const compare = (place: Place) => {
      // Most older commits have the same version of a directory, so each version is compared only once.
      const key = `${place.prefix} ${place.older}`;
      const differing = compared.has(key) ? compared.get(key) : comparePlace(place, search);
      compared.set(key, differing);
      return differing;
    };
    left = left.flatMap((each) => descend(each, compare) ?? []);
  }
  return left;
}

type Tree = ReadonlyMap<string, TreeEntry>;
const NO_TREE: Tree = new Map();

interface Search {
  /** The paths, and the folders above them. */
  names: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  store: ObjectStore;
  /** Trees of the parent, which every older commit is compared with. */
  known: Map<string, Tree>;
}

/** The differences in one directory: files among the paths, and directories to compare next. */
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

/** @returns undefined if a path differs that is not one of the landing's */
function comparePlace(place: Place, { names, folders, store, known }: Search): Differing | undefined {
  const differing: Differing = { files: [], places: [] };
  const older = place.older === undefined ? NO_TREE : readTree(store.read(place.older, 'tree'));
  const parent = parentTree(place.parent, { store, known });
  for (const name of new Set([...older.keys(), ...parent.keys()])) {
    const [entry, other] = [older.get(name), parent.get(name)];
    if (isSameEntry(entry, other)) continue;
    const path = `${place.prefix}${name}`;
    const [directory, otherDirectory] = [entry, other].map((each) =>
      each && isDirectory(each) ? each.id : undefined,
    );
    const isFile = (entry && !directory) || (other && !otherDirectory);
    if (isFile && !names.has(path)) return undefined;
    if (isFile) differing.files.push([path, directory ? undefined : entry]);
    if (!directory && !otherDirectory) continue;
    if (!folders.has(path)) return undefined;
    differing.places.push({ prefix: `${path}/`, older: directory, parent: otherDirectory });
  }
  return differing;
}

function parentTree(id: string | undefined, { store, known }: Pick<Search, 'store' | 'known'>): Tree {
  if (id === undefined) return NO_TREE;
  const tree = known.get(id) ?? readTree(store.read(id, 'tree'));
  known.set(id, tree);
  return tree;
}

type Entries = Comparison['entries'];

/** The paths with the older commit's entries in place of those of the landed commit's parent. */
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
  // Both sides moved the file, so a commit older than the target's move has it at the old path.
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
