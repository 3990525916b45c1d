import { objectIdOf } from '../pack/object-id';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { TextLimits } from '../text-limits';
import { type MergedLines, mergeLines } from './merge-lines';
import { isText, isTooLarge, splitLines } from './text';
import type { Versions } from './versions';

/** Three versions of a text as lines; that of the base is empty where both sides added the file. */
export interface ThreeTexts {
  base: string[];
  ours: string[];
  theirs: string[];
}

/** The merge of one path, its own name apart. */
export type MergedEntry =
  /** `entry` is absent where the merge deletes it. */
  | { kind: 'clean'; entry?: TreeEntry }
  /** Both sides changed it; the lines tell where, when they are texts. */
  | { kind: 'conflict'; lines?: MergedLines; texts?: ThreeTexts; mode?: string }
  /** Too large or too tangled to be compared by lines. */
  | { kind: 'unknown' };

type Sides = Pick<Versions<TreeEntry>, 'base' | 'ours' | 'theirs'>;

/** The files of a path whose lines have to be merged: both sides have other contents of a regular file. */
export function filesToMerge({ base, ours, theirs }: Sides): TreeEntry[] {
  if (!ours || !theirs || !isRegularFile(ours) || !isRegularFile(theirs)) return [];
  if (ours.id === theirs.id || ours.id === base?.id || theirs.id === base?.id) return [];
  if (base === undefined) return [ours, theirs];
  return isRegularFile(base) ? [base, ours, theirs] : [];
}

/** The merge of one path as git makes it, once it is known which files belong together. */
export function mergeEntry(sides: Sides, read: (id: string) => Buffer, limits: TextLimits): MergedEntry {
  const { base, ours, theirs } = sides;
  if (isSameEntry(ours, theirs) || isSameEntry(theirs, base)) return clean(ours);
  if (isSameEntry(ours, base)) return clean(theirs);
  if (!ours || !theirs || !isRegularFile(ours) || !isRegularFile(theirs)) return { kind: 'conflict' };
  if (base && !isRegularFile(base)) return { kind: 'conflict' };
  const mode = ours.mode === base?.mode ? theirs.mode : ours.mode;
  if (filesToMerge(sides).length === 0) {
    // Both added the same content, but with other modes.
    if (base === undefined) return { kind: 'conflict' };
    return clean({ mode, id: ours.id === base.id ? theirs.id : ours.id });
  }
  return mergeFiles({ base, ours, theirs, mode }, read, limits);
}

/** The merge of three contents. */
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
