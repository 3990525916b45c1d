import type { Budget } from '../budget';
import type { ObjectStore } from '../objects/object-store';
import { isSameEntry } from '../pack/tree';
import { findDisputedPaths } from './disputed-paths';
import { filesToMerge, type MergedEntry, mergeEntry } from './merged-entry';
import { joinMovedPaths } from './moved-paths';
import type { PathVersions } from './path-versions';
import type { Versions } from './versions';

export interface Reading {
  store: ObjectStore;
  budget: Budget;
}

/** A path at which a tree differs from the merge, and the merge of that path. */
export interface DifferingPath {
  path: PathVersions;
  merged: MergedEntry;
}

/**
 * Merges a source into a target by the recipe (docs/decisions/0034), and compares the result with a landed tree.
 *
 * @param trees ids
 * @returns the paths that differ; undefined if there are too many files to find the renames
 * @throws RemoteFailure
 */
export async function compareWithMerge(
  trees: Required<Versions<string>>,
  { store, budget }: Reading,
): Promise<DifferingPath[] | undefined> {
  const disputed = await findDisputedPaths(store, trees, budget.caps);
  const paths = await joinMovedPaths(disputed, { store, trees, budget });
  if (paths === undefined) return undefined;
  await store.load(paths.flatMap((path) => filesToMerge(path).map(({ id }) => id)));
  const read = (id: string) => store.read(id, 'blob');
  return paths.flatMap((path): DifferingPath[] => {
    const merged = mergePath(path, { read, budget });
    const isEqual = merged.kind === 'clean' && isSameEntry(merged.entry, path.landed);
    return isEqual ? [] : [{ path, merged }];
  });
}

function mergePath(path: PathVersions, reading: Parameters<typeof mergeEntry>[1]): MergedEntry {
  if (path.isUnjudged) return { kind: 'unknown' };
  return path.choice ? { kind: 'conflict' } : mergeEntry(path, reading);
}

/** Whether the merge of a source into a target is clean and changes nothing. @throws RemoteFailure */
export async function bringsNothing(
  trees: { base: string; ours: string; theirs: string },
  reading: Reading,
): Promise<boolean> {
  const differing = await compareWithMerge({ ...trees, landed: trees.ours }, reading);
  return differing?.length === 0;
}
