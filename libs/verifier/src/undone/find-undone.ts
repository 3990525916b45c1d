import type { Budget } from '../budget';
import { countLines } from '../merge/text';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { isDistinctive, withoutLayout } from './distinctive-lines';
import { type EarlierWork, findEarlierWork, type LandedPath, readLandedPaths } from './earlier-work';
import { ExaminedFiles } from './examined-files';
import { findGoneByCount, findUndoneLines, type Restored, type UndoneBlock } from './undone-lines';

/** A part of an earlier landing that a landing takes back. */
export interface UndonePart {
  work: EarlierWork;
  /** The lines; absent if it is the whole file, its mode, or a file without lines. */
  block?: UndoneBlock;
  /** Whether an entry has it, if it is no block of lines. */
  isIn?(entry: TreeEntry | undefined): boolean;
  /** Its distinctive lines, of which the landed file has fewer than the target's, or more if they are there again. */
  marks: Mark[];
  /** Whether the state before is back. */
  restored: Restored;
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
  const { work, isComplete } = await findEarlierWork(paths, landings, { store, budget });
  if (work.length === 0) return { parts: [], isComplete };
  const entries = [
    ...paths.flatMap(({ target, landed }) => [target, landed]),
    ...work.flatMap(({ old, made }) => [old, made]),
  ];
  await store.load(entries.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : [])));
  const files = new ExaminedFiles(store, budget);
  const parts = [...byPath(work).values()].flatMap((of) => withoutRepeats(partsAt(of, files)));
  return { parts: withoutMoved(parts, paths, files), isComplete };
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

function partsAt(works: readonly EarlierWork[], files: ExaminedFiles): UndonePart[] {
  const { target, landed } = (works[0] as EarlierWork).at;
  const text = files.read(target);
  const inTarget = text && countLines(text.lines);
  const landedText = files.readLanded(landed);
  const inLanded = landedText && countLines(landedText.lines);
  // If the state before a landing is back, that of newer ones is gone too, unless another state came between.
  const isLine = isSameEntry(target, works[0]?.made);
  const oldest = isLine ? works.findIndex(({ old }) => isSameEntry(landed, old)) : -1;
  return works.flatMap((work, index) => {
    const isWholeBack = index <= oldest;
    const states = works.slice(0, index + 1).map(({ made }) => made);
    const whole = wholePart(work, (entry) => states.some((state) => isSameEntry(entry, state)));
    const [old, made] = [files.read(work.old), files.read(work.made)];
    if (!old || !made || !text || !inTarget) return isWholeBack ? [whole] : [];
    const versions = { old, made, target: text };
    const counts = { target: inTarget, landed: inLanded ?? files.countLanded(landed, [text, old]) };
    const compared = landedText && findUndoneLines({ ...versions, landed: landedText }, files);
    const blocks = compared ?? findGoneByCount(versions, counts, files);
    const parts = blocks.flatMap((block) => partOf(block, { work, counts, isWholeBack }));
    return isModeBack(work) ? [...parts, modePart(work)] : parts;
  });
}

interface LineCounts {
  target: ReadonlyMap<string, number>;
  landed: ReadonlyMap<string, number>;
}

function partOf(
  block: UndoneBlock,
  { work, counts, isWholeBack }: { work: EarlierWork; counts: LineCounts; isWholeBack: boolean },
): UndonePart[] {
  const isThere = work.at.landed !== undefined;
  const restored = isWholeBack && isThere ? 'all' : block.restored;
  const marks = marksOf(block, counts);
  if (marks.length === 0) return [];
  const isWholeInsertion = block.isWholeInsertion || (isWholeBack && !isThere && work.old === undefined);
  return [{ work, block, marks, isReplaced: block.isReplaced, restored, isWholeInsertion }];
}

const modePart = (work: EarlierWork): UndonePart =>
  wholePart(work, (entry) => entry !== undefined && entry.mode === work.made?.mode);

function wholePart(work: EarlierWork, isIn: NonNullable<UndonePart['isIn']>): UndonePart {
  const isGone = work.at.landed === undefined;
  const restored = isGone ? undefined : 'all';
  const isWholeInsertion = isGone && work.old === undefined;
  return { work, isIn, marks: [], restored, isReplaced: false, isWholeInsertion };
}

function isModeBack({ at: { target, landed }, old, made }: EarlierWork): boolean {
  const isChanged = old !== undefined && made !== undefined && old.mode !== made.mode;
  return isChanged && target?.mode === made.mode && landed?.mode === old.mode;
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
function marksOf({ in: file, lines, restored }: UndoneBlock, counts: LineCounts): Mark[] {
  return [...new Set(lines)]
    .filter((line) => isDistinctive(line, restored === 'all'))
    .flatMap((line): Mark[] => {
      const [before, landed] = [counts.target.get(line) ?? 0, counts.landed.get(line) ?? 0];
      return (file === 'target' ? landed < before : landed > before) ? [{ line, landed }] : [];
    });
}

/**
 * Leaves out blocks that are elsewhere in the landed tree. A block in whose place the lines from before stand again is none
 * of them: a move leaves nothing old behind.
 */
function withoutMoved(
  parts: readonly UndonePart[],
  paths: readonly LandedPath[],
  files: ExaminedFiles,
): UndonePart[] {
  const lines = new Map(
    parts.flatMap((part): [UndonePart, string[]][] => {
      const { block } = part;
      if (block === undefined || block.in === 'landed' || block.restored !== undefined) return [];
      return [[part, block.lines.filter((line) => isDistinctive(line)).map(withoutLayout)]];
    }),
  );
  if (lines.size === 0) return [...parts];
  const added = files.findAdded(paths, new Set([...lines.values()].flat()));
  return parts.filter((part) => {
    const distinctive = lines.get(part) ?? [];
    const found = distinctive.filter((line) => added.has(line));
    return found.length === 0 || found.length < distinctive.length * MOVED_SHARE;
  });
}
