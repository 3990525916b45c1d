import type { Budget } from '../budget';
import type { LineSteps } from '../line-steps';
import { KnownChanges, type KnownText } from '../merge/known-changes';
import type { LineChange } from '../merge/line-changes';
import { countLines, isText, splitLines } from '../merge/text';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { type EarlierWork, findEarlierWork, type LandedPath, readLandedPaths } from './earlier-work';
import { findUndoneLines, type UndoneBlock } from './undone-lines';

/** A part of an earlier landing that a landing takes back. */
export interface UndonePart {
  work: EarlierWork;
  /** The lines; absent if it is the whole file, its mode, or a file without lines. */
  block?: UndoneBlock;
  /** Its distinctive lines, of which the landed file has fewer than the target's, or more if they are there again. */
  marks: Mark[];
  isRestored: boolean;
  isReplaced: boolean;
  /** Whether the whole insertion, or the whole new file, of the earlier landing is gone, and nothing else there. */
  isWholeInsertion: boolean;
}

/** A line, and how often the landed file has it. */
export interface Mark {
  line: string;
  landed: number;
}

interface Reading {
  store: ObjectStore;
  budget: Budget;
}

/** Lines shorter than this are in many files, such as a bracket. */
const DISTINCTIVE = /\w{3,}/;
export const isDistinctive = (line: string): boolean => DISTINCTIVE.test(line);
/** A block is somewhere else, and not gone, if this share of its distinctive lines was added there. */
const MOVED_SHARE = 2 / 3;

/**
 * Finds what a landing takes back of earlier landings: lines that one of them added and that are gone, lines that it removed and
 * that are there again, and files, modes and submodules that have the state before it.
 *
 * @param trees ids of the target's tree before the landing, and of the landed tree
 * @throws RemoteFailure
 */
export async function findUndoneParts(
  trees: { target: string; landed: string },
  landings: Parameters<typeof findEarlierWork>[1],
  { store, budget }: Reading,
): Promise<{ parts: UndonePart[]; isComplete: boolean }> {
  const paths = await readLandedPaths(trees, { store, budget });
  const { work, isComplete } = await findEarlierWork(paths, landings, store);
  if (work.length === 0) return { parts: [], isComplete };
  const entries = [
    ...paths.flatMap(({ target, landed }) => [target, landed]),
    ...work.flatMap(({ old, made }) => [old, made]),
  ];
  await store.load(entries.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : [])));
  const files = new Files(store, budget);
  const added = addedLines(paths, files);
  const parts = [...byPath(work).values()].flatMap((of) => {
    files.forgetTexts();
    return withoutRepeats(of.flatMap((each) => partsOf(each, files)));
  });
  return { parts: parts.filter(({ block }) => !block || !isElsewhere(block, added)), isComplete };
}

function byPath(work: readonly EarlierWork[]): Map<LandedPath, EarlierWork[]> {
  const found = new Map<LandedPath, EarlierWork[]>();
  for (const each of work) {
    const of = found.get(each.at);
    if (of === undefined) found.set(each.at, [each]);
    else of.push(each);
  }
  return found;
}

function partsOf(work: EarlierWork, files: Files): UndonePart[] {
  const { at, old, made } = work;
  const isBack = isSameEntry(at.landed, old);
  const isFileGone = isBack && old === undefined;
  const whole = { work, marks: [], isRestored: !isFileGone, isReplaced: false, isWholeInsertion: isFileGone };
  const [before, after, target, landed] = [old, made, at.target, at.landed].map((entry) => files.read(entry));
  if (!before || !after || !target || !landed) {
    return isBack && isSameEntry(at.target, made) ? [whole] : [];
  }
  const blocks = findUndoneLines({ old: before, made: after, target, landed }, files) ?? [];
  const counts = { target: countLines(target.lines), landed: countLines(landed.lines) };
  const parts = blocks.flatMap((block): UndonePart[] => {
    const { isReplaced } = block;
    const marks = marksOf(block, counts);
    if (marks.length === 0) return [];
    const isRestored = block.isRestored || (isBack && !isFileGone);
    const isWholeInsertion = block.isWholeInsertion || isFileGone;
    return [{ work, block, marks, isReplaced, isRestored, isWholeInsertion }];
  });
  const isModeBack = old && made && old.mode !== made.mode && at.target?.mode === made.mode;
  return isModeBack && at.landed?.mode === old.mode ? [...parts, whole] : parts;
}

/** Repeated lines can be those of several landings. They count as the newest one's. */
function withoutRepeats(parts: readonly UndonePart[]): UndonePart[] {
  const claimed = new Set<string>();
  return parts.filter(({ block }) => {
    if (block === undefined) return true;
    const place = `${block.in} ${block.start}`;
    const isNew = !claimed.has(place);
    claimed.add(place);
    return isNew;
  });
}

/** Lines that are as often in the file as before are not undone, wherever they are. */
function marksOf(
  { in: file, lines }: UndoneBlock,
  counts: Record<'target' | 'landed', ReadonlyMap<string, number>>,
): Mark[] {
  return [...new Set(lines)]
    .filter((line) => DISTINCTIVE.test(line))
    .flatMap((line): Mark[] => {
      const [before, landed] = [counts.target.get(line) ?? 0, counts.landed.get(line) ?? 0];
      return (file === 'target' ? landed < before : landed > before) ? [{ line, landed }] : [];
    });
}

function isElsewhere({ in: file, lines }: UndoneBlock, added: ReadonlySet<string>): boolean {
  const distinctive = file === 'target' ? lines.filter((line) => DISTINCTIVE.test(line)) : [];
  const found = distinctive.filter((line) => added.has(withoutLayout(line)));
  return distinctive.length > 0 && found.length >= distinctive.length * MOVED_SHARE;
}

/** A line as it is the same after a move or a formatter. */
export const withoutLayout = (line: string): string => line.replace(/[\s'"`,;()]+/g, '');

/** All lines that a landing adds, without their layout. */
function addedLines(paths: readonly LandedPath[], files: Files): ReadonlySet<string> {
  const added = new Set<string>();
  for (const { target, landed } of paths) {
    const [from, to] = [files.read(target), files.read(landed)];
    if (from === undefined || to === undefined) continue;
    for (const { sideStart, sideEnd } of files.changesBetween(from, to) ?? []) {
      for (const line of to.lines.slice(sideStart, sideEnd)) added.add(withoutLayout(line));
    }
    files.forgetTexts();
  }
  return added;
}

/** The files of one examination. */
class Files {
  private readonly changes: KnownChanges;
  private readonly texts = new Map<string, KnownText | undefined>();
  readonly steps: LineSteps;

  constructor(
    private readonly store: ObjectStore,
    private readonly budget: Budget,
  ) {
    this.changes = KnownChanges.of(budget);
    this.steps = budget.texts.steps;
  }

  /** The lines of a file; one that does not exist has none. @returns undefined if it is not a text */
  read(entry: TreeEntry | undefined): KnownText | undefined {
    if (entry === undefined) return { lines: [] };
    if (!isRegularFile(entry)) return undefined;
    if (this.texts.has(entry.id)) return this.texts.get(entry.id);
    const content = this.store.read(entry.id, 'blob');
    const isComparable = isText(content, this.budget.texts);
    const text = isComparable ? { id: entry.id, lines: splitLines(content) } : undefined;
    this.texts.set(entry.id, text);
    return text;
  }

  readonly changesBetween = (from: KnownText, to: KnownText): readonly LineChange[] | undefined =>
    this.changes.between(from, to);

  /** Frees the memory of the lines. */
  forgetTexts(): void {
    this.texts.clear();
  }
}
