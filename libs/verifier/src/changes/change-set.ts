import type { VerifierCaps } from '../config';
import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { ObjectStore } from './object-store';

/** A path whose entry differs between merge base and source tip; an absent side has none. */
export interface FileChange {
  base?: TreeEntry;
  source?: TreeEntry;
}

/** A directory below which something differs, with the ids it has on both sides. */
export interface ChangedDirectory {
  baseTreeId?: string;
  sourceTreeId?: string;
  files: Map<string, FileChange>;
  directories: Map<string, ChangedDirectory>;
}

/**
 * What the source branch adds: every path whose (mode, id) differs between merge base and source tip.
 * Only directories that differ are read, level by level, one request a level.
 *
 * @returns undefined when nothing differs
 * @throws RemoteFailure
 */
export async function readChangeSet(
  store: ObjectStore,
  trees: { baseTreeId: string; sourceTreeId: string },
  caps: VerifierCaps,
): Promise<ChangedDirectory | undefined> {
  if (trees.baseTreeId === trees.sourceTreeId) return undefined;
  const root = changedDirectory(trees);
  let count = 0;
  for (
    let level = [root];
    level.length > 0;
    level = level.flatMap((directory) => [...directory.directories.values()])
  ) {
    await store.load(
      level.flatMap(({ baseTreeId, sourceTreeId }) => [baseTreeId, sourceTreeId].filter(isPresent)),
    );
    for (const directory of level) {
      compareEntries(
        directory,
        entriesOf(store, directory.baseTreeId),
        entriesOf(store, directory.sourceTreeId),
      );
      count += directory.files.size + directory.directories.size;
      if (count > caps.changedPaths) throw tooLarge('source branch changes too many paths');
    }
  }
  return root;
}

function compareEntries(
  directory: ChangedDirectory,
  bases: Map<string, TreeEntry>,
  sources: Map<string, TreeEntry>,
): void {
  for (const name of new Set([...bases.keys(), ...sources.keys()])) {
    const [base, source] = [bases.get(name), sources.get(name)];
    if (isSameEntry(base, source)) continue;
    // A file that became a directory is both: a deleted file, and a new directory.
    const [baseIsDirectory, sourceIsDirectory] = [isDirectory(base), isDirectory(source)];
    if (baseIsDirectory || sourceIsDirectory) {
      const ids = {
        baseTreeId: baseIsDirectory ? base?.id : undefined,
        sourceTreeId: sourceIsDirectory ? source?.id : undefined,
      };
      directory.directories.set(name, changedDirectory(ids));
    }
    const files = {
      base: baseIsDirectory ? undefined : base,
      source: sourceIsDirectory ? undefined : source,
    };
    if (files.base || files.source) directory.files.set(name, files);
  }
}

function entriesOf(store: ObjectStore, treeId: string | undefined): Map<string, TreeEntry> {
  return treeId === undefined ? new Map() : readTree(store.read(treeId, 'tree'));
}

function changedDirectory(ids: { baseTreeId?: string; sourceTreeId?: string }): ChangedDirectory {
  return { ...ids, files: new Map(), directories: new Map() };
}

function isPresent(id: string | undefined): id is string {
  return id !== undefined;
}
