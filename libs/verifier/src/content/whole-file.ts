import { isSameEntry, type TreeEntry } from '../pack/tree';
import type { Deviation } from './finding';
import type { LandedPath } from './landed-path';

/** The deviation of a landing that changed a whole file as neither side did: left out, undone, deleted or added. */
export function wholeFileDeviation({ path, base, ours, theirs, landed }: LandedPath): Deviation {
  const isSource = !isSameEntry(theirs, base);
  const isTarget = !isSameEntry(ours, base);
  const isThere = landed !== undefined;
  if (isSource && isLost(theirs, { base, landed })) {
    return { path, kind: 'missing', in: 'source', reason: 'source_change_missing' };
  }
  if (isTarget && isLost(ours, { base, landed })) {
    return { path, kind: 'undone', in: 'target', reason: 'target_change_undone' };
  }
  if (isSource) return { path, kind: 'altered', in: 'landed', reason: 'source_change_missing' };
  if (isTarget) return { path, kind: 'altered', in: 'landed', reason: 'target_change_undone' };
  // Neither side changed it, but it is gone, changed, or new.
  if (!isThere) {
    return { path, kind: 'undone', in: 'target', reason: 'target_change_undone', isElsewhere: true };
  }
  return { path, kind: base ? 'altered' : 'extra', in: 'landed', reason: 'extra_content' };
}

/**
 * Whether a side's change to a file is missing: the file is gone, equals the base's, or is there although it was
 * deleted.
 */
function isLost(
  side: TreeEntry | undefined,
  { base, landed }: { base: TreeEntry | undefined; landed: TreeEntry | undefined },
): boolean {
  return landed === undefined || isSameEntry(landed, base) || side === undefined;
}
