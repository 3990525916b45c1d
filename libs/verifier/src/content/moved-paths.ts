import type { Budget } from '../budget';
import { type ChangedDirectory, filesOf, readChangeSet } from '../changes/change-set';
import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import { type MovedFiles, type NamedEntry, RenameDetection } from '../merge/renames';
import type { Versions } from '../merge/versions';
import { isSameEntry, type TreeEntry } from '../pack/tree';
import type { LandedPath } from './landed-path';

/** Most files that are compared with each other to find renames. If there are more, the renames are unclear. */
const COMPARED_FILES_MAX = 1_000;

/** The trees in which a side's renames are searched. */
interface Trees {
  store: ObjectStore;
  trees: Required<Versions<string>>;
  budget: Budget;
}

export interface MovedPaths {
  paths: LandedPath[];
  /** Whether the renames conflict for git, or there were too many files to compare. */
  isUnclear: boolean;
  /** Files that both sides moved to different paths. */
  apart: MovedApart[];
}

/** A file of the base that the sides moved to two paths. git leaves the choice to a person. */
export interface MovedApart {
  base: TreeEntry;
  ours: NamedEntry;
  theirs: NamedEntry;
  /** The landed entries at both paths. */
  landed: Record<Side, TreeEntry | undefined>;
}

type Side = 'ours' | 'theirs';
type Renames = ReadonlyMap<string, NamedEntry>;

/**
 * Joins one side's rename with the other side's change to the same file, as git's merge does, so that they are judged
 * as one path. Searches renames only of files that one side removed and the other side changed.
 *
 * @throws RemoteFailure
 */
export async function joinMovedPaths(paths: readonly LandedPath[], trees: Trees): Promise<MovedPaths> {
  const gone: Record<Side, LandedPath[]> = {
    ours: paths.filter((path) => isGoneFrom('ours', path)),
    theirs: paths.filter((path) => isGoneFrom('theirs', path)),
  };
  const ours = await renamesOf('ours', gone.ours, trees);
  const theirs = await renamesOf('theirs', gone.theirs, trees);
  if (ours === 'too_many' || theirs === 'too_many') return { paths: [...paths], isUnclear: true, apart: [] };
  if (ours.size + theirs.size === 0) return { paths: [...paths], isUnclear: false, apart: [] };
  return join(paths, { ours, theirs }, trees);
}

/** Whether a side removed a file of the base that the other side changed. */
function isGoneFrom(side: Side, { base, ours, theirs }: LandedPath): boolean {
  const [own, other] = side === 'ours' ? [ours, theirs] : [theirs, ours];
  return base !== undefined && own === undefined && !isSameEntry(base, other);
}

/** The new paths of those files of the base that a side moved. */
function renamesOf(
  side: Side,
  gone: readonly LandedPath[],
  { store, trees, budget }: Trees,
): Promise<Renames | 'too_many'> {
  const wanted = new Set(gone.map(({ path }) => path));
  return renamesBetween({ base: trees.base, changed: trees[side] }, wanted, { store, budget });
}

/** The new paths of those wanted files of a base that another tree has elsewhere. @throws RemoteFailure */
export async function renamesBetween(
  { base, changed }: { base: string; changed: string },
  wanted: ReadonlySet<string>,
  { store, budget }: Pick<Trees, 'store' | 'budget'>,
): Promise<Renames | 'too_many'> {
  if (wanted.size === 0) return new Map();
  const changes = await readChangeSet(store, { baseTreeId: base, sourceTreeId: changed }, budget.caps);
  const detection = new RenameDetection(
    movedFiles(changes),
    (id) => store.read(id, 'blob'),
    budget.texts.steps,
  );
  const toRead = detection.toRead(wanted);
  if (toRead.length > COMPARED_FILES_MAX) return 'too_many';
  await store.load(toRead);
  const found = detection.find(wanted);
  return new Map([...found].filter(([path]) => wanted.has(path)));
}

function movedFiles(changes: ChangedDirectory | undefined): MovedFiles {
  const moved = { deleted: [] as NamedEntry[], added: [] as NamedEntry[] };
  for (const { path, base, source } of changes === undefined ? [] : filesOf(changes)) {
    if (base !== undefined && source === undefined) moved.deleted.push({ path, entry: base });
    if (base === undefined && source !== undefined) moved.added.push({ path, entry: source });
  }
  return moved;
}

async function join(
  paths: readonly LandedPath[],
  renames: Record<Side, Renames>,
  { store, trees }: Trees,
): Promise<MovedPaths> {
  const byPath = new Map(paths.map((path) => [path.path, path]));
  const targets = [...renames.ours.values(), ...renames.theirs.values()].map(({ path }) => path);
  const entries = await entriesAt(store, [...new Set(Object.values(trees))], targets);
  const versionsAt = (path: string): LandedPath => {
    const versions: LandedPath = { path };
    for (const side of ['base', 'ours', 'theirs', 'landed'] as const) {
      const entry = entries.get(trees[side])?.get(path);
      if (entry !== undefined) versions[side] = entry;
    }
    return byPath.get(path) ?? versions;
  };
  const landedAt = ({ path }: NamedEntry) => entries.get(trees.landed)?.get(path);
  let isUnclear = false;
  const apart: MovedApart[] = [];
  for (const from of new Set([...renames.ours.keys(), ...renames.theirs.keys()])) {
    const [ours, theirs] = [renames.ours.get(from), renames.theirs.get(from)];
    const moved = byPath.get(from) as LandedPath;
    if (ours && theirs && ours.path !== theirs.path && moved.base) {
      const landed = { ours: landedAt(ours), theirs: landedAt(theirs) };
      apart.push({ base: moved.base, ours, theirs, landed });
    }
    const joined = joinOne(moved, { ours, theirs }, versionsAt);
    if (joined === undefined) isUnclear = true;
    else for (const path of joined) byPath.set(path.path, path);
  }
  return { paths: [...byPath.values()], isUnclear, apart };
}

/** @returns undefined if git sees a conflict in the renames themselves; the two paths stay apart */
function joinOne(
  from: LandedPath,
  { ours, theirs }: Partial<Record<Side, NamedEntry>>,
  versionsAt: (path: string) => LandedPath,
): LandedPath[] | undefined {
  const to = ours ?? theirs;
  if (to === undefined || from.base === undefined) return undefined;
  if (ours && theirs && ours.path !== theirs.path) return undefined;
  const mover = ours ? 'ours' : 'theirs';
  const there = versionsAt(to.path);
  // The other side has the file at the new path if both sides renamed it alike, otherwise at the old path.
  const other = mover === 'ours' ? (theirs?.entry ?? from.theirs) : from.ours;
  const isTaken = !theirs !== !ours && (mover === 'ours' ? there.theirs : there.ours) !== undefined;
  if (isTaken) return undefined;
  const keeper = mover === 'ours' ? 'theirs' : 'ours';
  const sides = { [mover]: to.entry, ...(other ? { [keeper]: other } : { isContradiction: true }) };
  const { landed, isBelowRemoved } = there;
  const renamedBy = ours && theirs ? 'both' : mover;
  const joined: LandedPath = {
    path: to.path,
    base: from.base,
    ...sides,
    renamedFrom: from.path,
    renamedBy,
    landed,
    isBelowRemoved,
  };
  return [joined, { path: from.path, landed: from.landed }];
}
