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
}

/**
 * Finds the older commit of the target onto which a whole landing was made. At each of the paths the landed commit
 * equals the merge onto the older commit; elsewhere the older commit equals the landed one's parent. The landing then
 * takes back all that the target did since. A conflict decided by hand for one side does not match, because the rest of
 * the target's work is there. A commit with a clean merge is preferred. In another merge, a conflict counts as equal if
 * it was decided for the source, or if the merge onto the parent has it as well, so that its decision proves nothing.
 *
 * @param paths the paths that differ from the merge onto the parent
 * @throws RemoteFailure
 */
export async function findWrongBase(
  paths: readonly LandedPath[],
  older: OlderCommits,
): Promise<OlderCommit | undefined> {
  const { judge, commits, parentTreeId } = older;
  let decided: OlderCommit | undefined;
  let anyhow: Map<string, Contradictions> | undefined;
  for (let start = 0; start < commits.length; start += BATCH) {
    const batch = commits.slice(start, start + BATCH).filter(({ treeId }) => treeId !== parentTreeId);
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

/** The differing directories of two trees, as pairs below the same prefix. */
interface Comparison {
  older: OlderCommit;
  pairs: { prefix: string; own?: string | undefined; parent?: string | undefined }[];
  /** The older commit's entries at the paths, without those that equal the parent's. */
  entries: Map<string, TreeEntry | undefined>;
}

/**
 * Keeps the commits whose tree equals the parent's except at the paths. Level by level, one request a level for all.
 */
async function keepAlikeElsewhere(
  batch: readonly OlderCommit[],
  paths: readonly LandedPath[],
  { store, parentTreeId }: OlderCommits,
): Promise<Comparison[]> {
  const names = new Set(
    paths.flatMap((path) => [pathOn('ours', path), path.path, path.renamedFrom ?? path.path]),
  );
  const folders = new Set([...names].flatMap(foldersOf));
  let left = batch.map((older): Comparison => ({
    older,
    pairs: [{ prefix: '', own: older.treeId, parent: parentTreeId }],
    entries: new Map(),
  }));
  while (left.some(({ pairs }) => pairs.length > 0)) {
    await store.load(
      left.flatMap(({ pairs }) => pairs.flatMap(({ own, parent }) => [own ?? [], parent ?? []].flat())),
    );
    left = left.flatMap((each) => descend(each, { names, folders, store }) ?? []);
  }
  return left;
}

function descend(
  { older, pairs, entries }: Comparison,
  { names, folders, store }: { names: ReadonlySet<string>; folders: ReadonlySet<string>; store: ObjectStore },
): Comparison | undefined {
  const next: Comparison = { older, pairs: [], entries };
  for (const { prefix, own, parent } of pairs) {
    const [ownTree, parentTree] = [own, parent].map((id) =>
      id === undefined ? new Map<string, TreeEntry>() : readTree(store.read(id, 'tree')),
    ) as [Map<string, TreeEntry>, Map<string, TreeEntry>];
    for (const name of new Set([...ownTree.keys(), ...parentTree.keys()])) {
      const [mine, theirs] = [ownTree.get(name), parentTree.get(name)];
      if (isSameEntry(mine, theirs)) continue;
      const path = `${prefix}${name}`;
      const [folder, otherFolder] = [mine, theirs].map((entry) =>
        isDirectory(entry) ? entry?.id : undefined,
      );
      const isFile = (mine && !folder) || (theirs && !otherFolder);
      if (isFile && !names.has(path)) return undefined;
      if (isFile) entries.set(path, folder ? undefined : mine);
      if (!folder && !otherFolder) continue;
      if (!folders.has(path)) return undefined;
      next.pairs.push({ prefix: `${path}/`, own: folder, parent: otherFolder });
    }
  }
  return next;
}

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
