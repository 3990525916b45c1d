import type { ContentFinding } from '@plat/contracts/core';
import type { PathVersions } from '../merge/path-versions';
import { isSameEntry, type TreeEntry } from '../pack/tree';
import type { Deviation } from './finding';

/** The deviation of a landing that changed a whole file as neither side did: left out, undone, deleted or added. */
export function wholeFileDeviation({ path, base, ours, theirs, landed }: PathVersions): Deviation {
  const isSource = !isSameEntry(theirs, base);
  const isTarget = !isSameEntry(ours, base);
  if (isSource && isLost(theirs, { base, landed })) return missing(path);
  if (isTarget && isLost(ours, { base, landed })) return undone(path);
  if (isSource) return { path, kind: 'altered', in: 'landed', reason: 'source_change_missing' };
  if (isTarget) return { path, kind: 'altered', in: 'landed', reason: 'target_change_undone' };
  // Neither side changed it, but it is gone, changed, or new.
  if (landed === undefined) return undone(path);
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

/** The deviation of a file whose mode is not the merged one. */
export function modeDeviation({ path, base, ours, theirs }: PathVersions): Deviation {
  if (theirs?.mode !== base?.mode) return missing(path);
  if (ours?.mode !== base?.mode) return undone(path);
  return { path, kind: 'altered', reason: 'extra_content' };
}

/** The places of a decision between whole files, or those where there is none. */
export type Decision = { places: ContentFinding[] } | { refused: Deviation[] };

/**
 * Judges a conflict that only whole files decide: an edit against a deletion, renames, binary files, links, submodules.
 *
 * @param paths all paths of the conflict
 */
export function judgeWholeFiles(paths: readonly PathVersions[]): Decision {
  const isAs = (side: 'ours' | 'theirs') => paths.every((path) => isSameEntry(path.landed, path[side]));
  const isEmpty = paths.every(({ landed }) => landed === undefined);
  // Only the submodule's own history shows which of two is the newer one.
  const isSubmodule = paths.every(({ ours, theirs }) => isLink(ours) && isLink(theirs));
  const isLeftOut = isEmpty || (isAs('ours') && !isSubmodule);
  const names = paths.filter(({ base, ours, theirs }) => ours ?? theirs ?? base).map(({ path }) => path);
  if (isLeftOut && !isAs('theirs')) return { refused: names.map(missing) };
  return { places: names.map((path) => ({ kind: 'by_hand', path })) };
}

const isLink = (entry: TreeEntry | undefined): boolean => entry?.mode === '160000';

const missing = (path: string): Deviation => ({
  path,
  kind: 'missing',
  in: 'source',
  reason: 'source_change_missing',
});

const undone = (path: string): Deviation => ({
  path,
  kind: 'undone',
  in: 'target',
  reason: 'target_change_undone',
});
