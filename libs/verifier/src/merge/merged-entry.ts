import type { Budget } from '../budget';
import { objectIdOf } from '../pack/object-id';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { KnownChanges } from './known-changes';
import { isText, isTooLarge, splitLines } from './text';
import type { Versions } from './versions';

/** Three versions of a text as lines. The base is empty if both sides added the file. */
export interface ThreeTexts {
  base: string[];
  ours: string[];
  theirs: string[];
}

/** The merge of one path, without its name. */
export type MergedEntry =
  /** `entry` is absent if the merge deletes the path. */
  | { kind: 'clean'; entry?: TreeEntry }
  /** Both sides changed it; `isText` if all versions have lines, which show where. */
  | { kind: 'conflict'; isText?: boolean; mode?: string }
  /** Too large or too tangled to compare by lines. */
  | { kind: 'unknown' };

type Sides = Pick<Versions<TreeEntry>, 'base' | 'ours' | 'theirs'>;

/** The files of a path whose lines have to be merged, because both sides have different contents of a regular file. */
export function filesToMerge({ base, ours, theirs }: Sides): TreeEntry[] {
  if (!ours || !theirs || !isRegularFile(ours) || !isRegularFile(theirs)) return [];
  if (ours.id === theirs.id || ours.id === base?.id || theirs.id === base?.id) return [];
  if (base === undefined) return [ours, theirs];
  return isRegularFile(base) ? [base, ours, theirs] : [];
}

interface Reading {
  read(id: string): Buffer;
  budget: Budget;
}

/** Merges one path as git does, after renames are resolved. */
export function mergeEntry(sides: Sides, reading: Reading): MergedEntry {
  const { base, ours, theirs } = sides;
  if (isSameEntry(ours, theirs) || isSameEntry(theirs, base)) return clean(ours);
  if (isSameEntry(ours, base)) return clean(theirs);
  if (!ours || !theirs || !isRegularFile(ours) || !isRegularFile(theirs)) return { kind: 'conflict' };
  if (base && !isRegularFile(base)) return { kind: 'conflict' };
  // If both sides added it with different modes, git conflicts, and the source's mode is the reviewed one.
  const mode = base === undefined || ours.mode === base.mode ? theirs.mode : ours.mode;
  if (filesToMerge(sides).length === 0) {
    // Both sides added the same content with different modes.
    if (base === undefined) return { kind: 'conflict' };
    return clean({ mode, id: ours.id === base.id ? theirs.id : ours.id });
  }
  return mergeFiles({ base, ours, theirs, mode }, reading);
}

/** Merges three contents. */
function mergeFiles(
  {
    base,
    ours,
    theirs,
    mode,
  }: { base?: TreeEntry | undefined; ours: TreeEntry; theirs: TreeEntry; mode: string },
  { read, budget }: Reading,
): MergedEntry {
  const contents = [base, ours, theirs].map((entry) => (entry ? read(entry.id) : Buffer.alloc(0)));
  if (contents.some((content) => isTooLarge(content, budget.texts))) return { kind: 'unknown' };
  if (!contents.every((content) => isText(content, budget.texts))) return { kind: 'conflict', mode };
  const ids = { base: base?.id, ours: ours.id, theirs: theirs.id };
  const merged = KnownChanges.of(budget).mergeLines(ids, textsOf(contents));
  if (merged === undefined) return { kind: 'unknown' };
  if (merged.lines === undefined) return { kind: 'conflict', isText: true, mode };
  return clean({ mode, id: objectIdOf('blob', Buffer.from(merged.lines.join(''), 'latin1')) });
}

export function textsOf(contents: readonly Buffer[]): ThreeTexts {
  const [base = [], ours = [], theirs = []] = contents.map(splitLines);
  return { base, ours, theirs };
}

const clean = (entry: TreeEntry | undefined): MergedEntry =>
  entry === undefined ? { kind: 'clean' } : { kind: 'clean', entry };
