import { isText, splitLines, type TextLimits } from '../changes/text-change';
import { objectIdOf } from '../pack/object-id';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { Versions } from './versions';
import { mergeLines, type MergedLines } from './merge-lines';

/** The merge of one path. `entry` is absent where the merge deletes it. */
export type MergedEntry =
  | { kind: 'clean'; entry?: TreeEntry }
  /** Both sides changed it; `text` tells where, when all three are texts. */
  | { kind: 'conflict'; text?: MergedLines }
  /** Too large or too tangled to be compared by lines. */
  | { kind: 'unknown' };

type Sides = Pick<Versions<TreeEntry>, 'base' | 'ours' | 'theirs'>;

/** Three versions of a file, of which lines are merged. */
export interface ThreeFiles {
  base: TreeEntry;
  ours: TreeEntry;
  theirs: TreeEntry;
}

/** The files of a path whose lines have to be merged: both sides changed the content of a regular file. */
export function filesToMerge({ base, ours, theirs }: Sides): ThreeFiles | undefined {
  if (!base || !ours || !theirs || ![base, ours, theirs].every(isRegularFile)) return undefined;
  const differ = ours.id !== theirs.id && ours.id !== base.id && theirs.id !== base.id;
  return differ ? { base, ours, theirs } : undefined;
}

/** The merge of one path as git makes it, but without looking for renames. */
export function mergeEntry(sides: Sides, read: (id: string) => Buffer, limits: TextLimits): MergedEntry {
  const { base, ours, theirs } = sides;
  if (isSameEntry(ours, theirs) || isSameEntry(theirs, base)) return clean(ours);
  if (isSameEntry(ours, base)) return clean(theirs);
  if (!base || !ours || !theirs || ![base, ours, theirs].every(isRegularFile)) return { kind: 'conflict' };
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  const files = filesToMerge(sides);
  if (files === undefined) return clean({ mode, id: ours.id === base.id ? theirs.id : ours.id });
  const merged = mergeFiles(files, read, limits);
  return merged.kind === 'clean' && merged.entry ? clean({ mode, id: merged.entry.id }) : merged;
}

/** The merge of three contents; of modes it knows nothing. */
export function mergeFiles(
  { base, ours, theirs }: ThreeFiles,
  read: (id: string) => Buffer,
  limits: TextLimits,
): MergedEntry {
  const contents = [base, ours, theirs].map(({ id }) => read(id)) as [Buffer, Buffer, Buffer];
  if (contents.some((content) => content.length > limits.diffedFileBytes)) return { kind: 'unknown' };
  if (!contents.every((content) => isText(content, limits))) return { kind: 'conflict' };
  const [baseLines, ...sides] = contents.map(splitLines) as [string[], string[], string[]];
  const text = mergeLines(baseLines, { ours: sides[0], theirs: sides[1] });
  if (text === undefined) return { kind: 'unknown' };
  if (text.lines === undefined) return { kind: 'conflict', text };
  return clean({ mode: ours.mode, id: objectIdOf('blob', Buffer.from(text.lines.join(''), 'latin1')) });
}

const clean = (entry: TreeEntry | undefined): MergedEntry =>
  entry === undefined ? { kind: 'clean' } : { kind: 'clean', entry };
