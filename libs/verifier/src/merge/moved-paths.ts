import type { Budget } from '../budget';
import { type ChangedDirectory, filesOf, readChangeSet } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { isSameEntry } from '../pack/tree';
import type { PathVersions } from './path-versions';
import { type MovedFiles, type NamedEntry, RenameDetection } from './renames';
import type { Versions } from './versions';

/** Most files that are compared with each other to find renames. If there are more, the renames are unclear. */
const COMPARED_FILES_MAX = 1_000;

/** The trees in which a side's renames are searched. */
interface Trees {
  store: ObjectStore;
  trees: Required<Versions<string>>;
  budget: Budget;
}

type Side = 'ours' | 'theirs';
type Renames = ReadonlyMap<string, NamedEntry>;

/**
 * Joins one side's rename with the other side's change to the same file, as git's merge does, so that they are judged
 * as one path. Searches renames only of files that one side removed and the other side changed.
 *
 * @returns undefined if there are too many files to compare, or two folders are equally likely for one
 * @throws RemoteFailure
 */
export async function joinMovedPaths(
  paths: readonly PathVersions[],
  trees: Trees,
): Promise<PathVersions[] | undefined> {
  const gone: Record<Side, PathVersions[]> = {
    ours: paths.filter((path) => isGoneFrom('ours', path)),
    theirs: paths.filter((path) => isGoneFrom('theirs', path)),
  };
  const ours = await renamesOf('ours', gone.ours, trees);
  const theirs = await renamesOf('theirs', gone.theirs, trees);
  if (ours === 'unclear' || theirs === 'unclear') return undefined;
  return ours.size + theirs.size === 0 ? [...paths] : join(paths, { ours, theirs }, trees);
}

/** Whether a side removed a file of the base that the other side changed. */
function isGoneFrom(side: Side, { base, ours, theirs }: PathVersions): boolean {
  const [own, other] = side === 'ours' ? [ours, theirs] : [theirs, ours];
  return base !== undefined && own === undefined && !isSameEntry(base, other);
}

/** The new paths of those files of the base that a side moved. */
function renamesOf(
  side: Side,
  gone: readonly PathVersions[],
  { store, trees, budget }: Trees,
): Promise<Renames | 'unclear'> {
  const wanted = new Set(gone.map(({ path }) => path));
  return renamesBetween({ base: trees.base, changed: trees[side] }, wanted, { store, budget });
}

/** The new paths of those wanted files of a base that another tree has elsewhere. @throws RemoteFailure */
export async function renamesBetween(
  { base, changed }: { base: string; changed: string },
  wanted: ReadonlySet<string>,
  { store, budget }: Pick<Trees, 'store' | 'budget'>,
): Promise<Renames | 'unclear'> {
  if (wanted.size === 0) return new Map();
  const changes = await readChangeSet(store, { baseTreeId: base, sourceTreeId: changed }, budget.caps);
  const detection = new RenameDetection(
    movedFiles(changes),
    (id) => store.read(id, 'blob'),
    budget.texts.steps,
  );
  const toRead = detection.toRead(wanted);
  if (toRead.length > COMPARED_FILES_MAX) return 'unclear';
  await store.load(toRead);
  const found = detection.find(wanted);
  if (detection.isUnclear) return 'unclear';
  return new Map([...found].filter(([path]) => wanted.has(path)));
}

function movedFiles(changes: ChangedDirectory | undefined): MovedFiles {
  const moved = { deleted: [] as NamedEntry[], added: [] as NamedEntry[], removedFolders: new Set<string>() };
  if (changes === undefined) return moved;
  for (const { path, base, source } of filesOf(changes)) {
    if (base !== undefined && source === undefined) moved.deleted.push({ path, entry: base });
    if (base === undefined && source !== undefined) moved.added.push({ path, entry: source });
  }
  for (const path of removedFrom(changes)) moved.removedFolders.add(path);
  return moved;
}

/** The directories of a base that the other tree does not have, without a trailing slash. */
function removedFrom(changes: ChangedDirectory): string[] {
  return [...changes.directories.values()].flatMap((directory) => {
    const isRemoved = directory.baseTreeId !== undefined && directory.sourceTreeId === undefined;
    return [...(isRemoved ? [directory.path.slice(0, -1)] : []), ...removedFrom(directory)];
  });
}

async function join(
  paths: readonly PathVersions[],
  renames: Record<Side, Renames>,
  { store, trees }: Trees,
): Promise<PathVersions[]> {
  const byPath = new Map(paths.map((path) => [path.path, path]));
  const targets = [...renames.ours.values(), ...renames.theirs.values()].map(({ path }) => path);
  const entries = await entriesAt(store, [...new Set(Object.values(trees))], targets);
  const versionsAt = (path: string): PathVersions => {
    const versions: PathVersions = { path };
    for (const side of ['base', 'ours', 'theirs', 'landed'] as const) {
      const entry = entries.get(trees[side])?.get(path);
      if (entry !== undefined) versions[side] = entry;
    }
    return byPath.get(path) ?? versions;
  };
  for (const from of new Set([...renames.ours.keys(), ...renames.theirs.keys()])) {
    const [ours, theirs] = [renames.ours.get(from), renames.theirs.get(from)];
    const moved = byPath.get(from) as PathVersions;
    for (const path of joinOne(moved, { ours, theirs }, versionsAt)) byPath.set(path.path, path);
  }
  return [...byPath.values()];
}

/** The paths of one renamed file: the merged file at its new path, and its old path, from which it is gone. */
function joinOne(
  from: PathVersions,
  { ours, theirs }: Partial<Record<Side, NamedEntry | undefined>>,
  versionsAt: (path: string) => PathVersions,
): PathVersions[] {
  const to = ours ?? theirs;
  if (to === undefined) return [];
  if (ours && theirs && ours.path !== theirs.path) return movedApart(from, { ours, theirs }, versionsAt);
  const mover = ours ? 'ours' : 'theirs';
  const keeper = mover === 'ours' ? 'theirs' : 'ours';
  const { landed, ...there } = versionsAt(to.path);
  const left: PathVersions = { path: from.path, landed: from.landed };
  // The other side has another file at the new path.
  if (!(ours && theirs) && there[keeper] !== undefined) {
    return [
      { ...there, landed, isUnjudged: true },
      { ...left, isUnjudged: true },
    ];
  }
  // The other side has the file at the new path if both sides moved it alike, otherwise at the old path.
  const other = ours && theirs ? theirs.entry : from[keeper];
  const sides = other ? { [keeper]: other } : { choice: { from: from.path } };
  return [{ path: to.path, base: from.base, [mover]: to.entry, ...sides, landed }, left];
}

/** The three paths of a file that the sides moved to two paths. A person chooses between them. */
function movedApart(
  from: PathVersions,
  { ours, theirs }: Record<Side, NamedEntry>,
  versionsAt: (path: string) => PathVersions,
): PathVersions[] {
  const choice = { from: from.path };
  return [
    { path: from.path, base: from.base, landed: from.landed, choice },
    { path: ours.path, ours: ours.entry, landed: versionsAt(ours.path).landed, choice },
    { path: theirs.path, theirs: theirs.entry, landed: versionsAt(theirs.path).landed, choice },
  ];
}
