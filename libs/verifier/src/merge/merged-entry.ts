import { objectIdOf } from '../pack/object-id';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { TextLimits } from '../text-limits';
import { type MergedLines, mergeLines } from './merge-lines';
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
  /** Both sides changed it. The lines show where, if all versions are text. */
  | { kind: 'conflict'; lines?: MergedLines; texts?: ThreeTexts; mode?: string }
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

/** Merges one path as git does, after renames are resolved. */
export function mergeEntry(sides: Sides, read: (id: string) => Buffer, limits: TextLimits): MergedEntry {
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
  return mergeFiles({ base, ours, theirs, mode }, read, limits);
}

/** Merges three contents. */
function mergeFiles(
  {
    base,
    ours,
    theirs,
    mode,
  }: { base?: TreeEntry | undefined; ours: TreeEntry; theirs: TreeEntry; mode: string },
  read: (id: string) => Buffer,
  limits: TextLimits,
): MergedEntry {
  const contents = [base, ours, theirs].map((entry) => (entry ? read(entry.id) : Buffer.alloc(0)));
  if (contents.some((content) => isTooLarge(content, limits))) return { kind: 'unknown' };
  if (!contents.every((content) => isText(content, limits))) return { kind: 'conflict', mode };
  const texts = textsOf(contents);
  const lines = mergeLines(texts.base, texts, limits.steps);
  if (lines === undefined) return { kind: 'unknown' };
  if (lines.lines === undefined) return { kind: 'conflict', lines, texts, mode };
  return clean({ mode, id: objectIdOf('blob', Buffer.from(lines.lines.join(''), 'latin1')) });
}

export function textsOf(contents: readonly Buffer[]): ThreeTexts {
  const [base = [], ours = [], theirs = []] = contents.map(splitLines);
  return { base, ours, theirs };
}

const clean = (entry: TreeEntry | undefined): MergedEntry =>
  entry === undefined ? { kind: 'clean' } : { kind: 'clean', entry };
