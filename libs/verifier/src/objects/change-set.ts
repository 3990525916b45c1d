import type { VerifierCaps } from '../config';
import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { ObjectStore } from './object-store';

/** A path whose entry differs between merge base and source tip. A side without the path is absent. */
export interface FileChange {
  /** Path from the root; bytes of the names as latin1. */
  path: string;
  base?: TreeEntry;
  source?: TreeEntry;
}

/** A directory below which something differs, with its tree on both sides. */
export interface ChangedDirectory {
  /** Path with a trailing slash; empty for the root. */
  path: string;
  baseTreeId?: string;
  sourceTreeId?: string;
  files: Map<string, FileChange>;
  directories: Map<string, ChangedDirectory>;
}

/** The trees of which a change set is read, and those that will be compared with it. */
export interface ComparedTrees {
  baseTreeId: string;
  sourceTreeId: string;
  /** Their directories at the same paths are fetched in the same requests. */
  besideTreeIds?: readonly string[];
}

/** A directory to compare, and the trees at its path that will be compared with it. */
interface Place {
  directory: ChangedDirectory;
  besideTreeIds: readonly string[];
}

/**
 * Reads what the source branch changes: every path whose (mode, id) differs between merge base and source tip. Only
 * directories that differ are read, level by level, with one request for each level.
 *
 * @returns undefined when nothing differs
 * @throws RemoteFailure
 */
export async function readChangeSet(
  store: ObjectStore,
  trees: ComparedTrees,
  caps: VerifierCaps,
): Promise<ChangedDirectory | undefined> {
  const [changes] = await readChangeSets(store, [trees], caps);
  return changes;
}

/** Reads several change sets, all in the same requests. The bound of changed paths is that of all together. */
export async function readChangeSets(
  store: ObjectStore,
  compared: readonly ComparedTrees[],
  caps: VerifierCaps,
): Promise<(ChangedDirectory | undefined)[]> {
  const roots = compared.map(({ baseTreeId, sourceTreeId, besideTreeIds = [] }): Place | undefined =>
    baseTreeId === sourceTreeId
      ? undefined
      : { directory: changedDirectory('', { baseTreeId, sourceTreeId }), besideTreeIds },
  );
  let count = 0;
  for (
    let level: Place[] = roots.filter(isPresent);
    level.length > 0;
    level = level.flatMap((place) => placesBelow(store, place))
  ) {
    await store.load(level.flatMap(treesAt));
    for (const { directory } of level) {
      compareEntries(
        directory,
        entriesOf(store, directory.baseTreeId),
        entriesOf(store, directory.sourceTreeId),
      );
      count += directory.files.size + directory.directories.size;
      if (count > caps.changedPaths) throw tooLarge('source branch changes too many paths');
    }
  }
  return roots.map((root) => root?.directory);
}

/** All files of a change set, including those of its directories. */
export function filesOf(changes: ChangedDirectory): FileChange[] {
  return [...changes.files.values(), ...[...changes.directories.values()].flatMap(filesOf)];
}

function treesAt({ directory, besideTreeIds }: Place): string[] {
  return [directory.baseTreeId, directory.sourceTreeId, ...besideTreeIds].filter(isPresent);
}

function placesBelow(store: ObjectStore, { directory, besideTreeIds }: Place): Place[] {
  // These trees are optional here: their reader reports one that was not sent.
  const sent = besideTreeIds.filter((id) => store.has(id));
  const beside = sent.map((id) => entriesOf(store, id, directory.directories));
  return [...directory.directories].map(([name, below]) => ({
    directory: below,
    besideTreeIds: beside.flatMap((entries) => {
      const entry = entries.get(name);
      return isDirectory(entry) && entry !== undefined ? [entry.id] : [];
    }),
  }));
}

function compareEntries(
  directory: ChangedDirectory,
  bases: Map<string, TreeEntry>,
  sources: Map<string, TreeEntry>,
): void {
  for (const name of new Set([...bases.keys(), ...sources.keys()])) {
    const [base, source] = [bases.get(name), sources.get(name)];
    if (isSameEntry(base, source)) continue;
    // A file that became a directory counts as a deleted file and a new directory.
    const [baseIsDirectory, sourceIsDirectory] = [isDirectory(base), isDirectory(source)];
    if (baseIsDirectory || sourceIsDirectory) {
      const ids = {
        baseTreeId: baseIsDirectory ? base?.id : undefined,
        sourceTreeId: sourceIsDirectory ? source?.id : undefined,
      };
      directory.directories.set(name, changedDirectory(`${directory.path}${name}/`, ids));
    }
    const files = {
      path: `${directory.path}${name}`,
      base: baseIsDirectory ? undefined : base,
      source: sourceIsDirectory ? undefined : source,
    };
    if (files.base || files.source) directory.files.set(name, files);
  }
}

function entriesOf(
  store: ObjectStore,
  treeId: string | undefined,
  names?: { has(name: string): boolean },
): Map<string, TreeEntry> {
  return treeId === undefined ? new Map() : readTree(store.read(treeId, 'tree'), names);
}

function changedDirectory(
  path: string,
  ids: { baseTreeId?: string; sourceTreeId?: string },
): ChangedDirectory {
  return { path, ...ids, files: new Map(), directories: new Map() };
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
