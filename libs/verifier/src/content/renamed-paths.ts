import type { ObjectStore } from '../changes/object-store';
import { isRegularFile, isSameEntry } from '../pack/tree';
import type { DisputedPath } from './disputed-paths';
import { mergeFiles } from '../merge/merged-entry';
import type { PathJudge } from './path-judge';

/** A path that the source deleted and the target edited: where it went to, its edit has to be. */
export function isDeletedAndEdited({ base, ours, theirs }: DisputedPath): boolean {
  return base !== undefined && ours !== undefined && theirs === undefined && !isSameEntry(base, ours);
}

/**
 * The added files that landed with the target's edit of a file that the source renamed: git merges those into each
 * other. Only a clean merge counts.
 *
 * @throws RemoteFailure
 */
export async function landedAsRenamed(
  added: readonly DisputedPath[],
  candidates: readonly DisputedPath[],
  {
    store,
    judge,
    limits,
  }: {
    store: ObjectStore;
    judge: PathJudge;
    limits: { diffedFileBytes: number; diffedLines: number };
  },
): Promise<ReadonlySet<DisputedPath>> {
  const renamed = new Set<DisputedPath>();
  for (const path of added) {
    const { theirs, landed } = path;
    if (!theirs || !landed || !isRegularFile(theirs) || !isRegularFile(landed)) continue;
    for (const { base, ours } of candidates) {
      if (!base || !ours || !isRegularFile(base) || !isRegularFile(ours)) continue;
      await store.load([base.id, ours.id, theirs.id]);
      const merged = mergeFiles({ base, ours, theirs }, judge.read, limits);
      if (merged.kind === 'clean' && merged.entry?.id === landed.id) renamed.add(path);
    }
  }
  return renamed;
}
