import type { LineSteps } from '../line-steps';
import type { KnownText } from '../merge/known-changes';
import type { LineChange } from '../merge/line-changes';
import { findRun } from '../merge/text';
import { isDistinctive, withoutSpace } from './distinctive-lines';
import { LinePlaces } from './line-places';

/** The versions of a file: before and after an earlier landing, then before and after the one that is examined. */
export interface FileVersions {
  old: KnownText;
  made: KnownText;
  target: KnownText;
  landed: KnownText;
}

export interface Comparing {
  /** Computes the changes between two texts; undefined if they are too tangled. */
  changesBetween(from: KnownText, to: KnownText): readonly LineChange[] | undefined;
  steps: LineSteps;
}

/** Whether lines from before an earlier landing are back, in whatever layout: all of them, or most. */
export type Restored = 'all' | 'most' | undefined;

/** Consecutive lines of an earlier landing that are gone, or that it had removed and that are there again. */
export interface UndoneBlock {
  in: 'target' | 'landed';
  start: number;
  /** Exclusive. */
  end: number;
  lines: readonly string[];
  restored: Restored;
  /** Whether at least half as many other lines stand in their place. */
  isReplaced: boolean;
  /** Whether they are a whole insertion of the earlier landing, and nothing else is gone there. */
  isWholeInsertion: boolean;
}

/** Most of the lines are back if this share of the distinctive ones is there in order, and so many of them. */
const MOST_SHARE = 2 / 3;
const MOST_LINES_MIN = 3;

/**
 * Finds the lines that an earlier landing added, that the target still has, and that are gone afterwards; and those that it
 * removed, that the target lacks, and that are there again.
 *
 * @returns undefined if the versions are too tangled to compare
 * @throws RemoteFailure remote_too_large
 */
export function findUndoneLines(
  { old, made, target, landed }: FileVersions,
  { changesBetween, steps }: Comparing,
): UndoneBlock[] | undefined {
  const lost = changesBetween(target, landed);
  const hunks = changesBetween(old, made);
  const later = changesBetween(made, target);
  if (lost === undefined || hunks === undefined || later === undefined) return undefined;
  const [places, losses] = [new LinePlaces(later), new LinePlaces(lost)];
  const inserted = ({ sideStart, sideEnd }: LineChange) => {
    steps.spend(2 * (sideEnd - sideStart));
    return landed.lines.slice(sideStart, sideEnd);
  };
  return hunks.flatMap((hunk): UndoneBlock[] => {
    const before = old.lines.slice(hunk.start, hunk.end);
    if (isLayoutAlone(before, made.lines.slice(hunk.sideStart, hunk.sideEnd))) return [];
    const gone = findGone(hunk, { places, losses }).map(({ start, end, change }): UndoneBlock => {
      const instead = inserted(change);
      const restored = before.length > 0 ? findRestored(instead, before)?.restored : undefined;
      const isReplaced = instead.length * 2 >= change.end - change.start;
      const [size, removed] = [hunk.sideEnd - hunk.sideStart, change.end - change.start];
      const isWholeInsertion =
        before.length + instead.length === 0 && end - start === size && removed === size;
      const kinds = { restored, isReplaced, isWholeInsertion };
      return { in: 'target', start, end, lines: target.lines.slice(start, end), ...kinds };
    });
    if (before.length === 0 || gone.some(({ restored }) => restored !== undefined)) return gone;
    const around = [hunk.sideStart, hunk.sideEnd].flatMap((line) =>
      losses.changesAround(places.before(line)),
    );
    const back = [...new Set(around)].flatMap((change): UndoneBlock[] => {
      const found = findRestored(inserted(change), before);
      if (found === undefined) return [];
      const [start, end] = [change.sideStart + found.start, change.sideStart + found.end];
      const { restored } = found;
      const kinds = { restored, isReplaced: false, isWholeInsertion: false };
      return [{ in: 'landed', start, end, lines: landed.lines.slice(start, end), ...kinds }];
    });
    return [...gone, ...back];
  });
}

/** Whether two blocks differ in their layout alone. */
const isLayoutAlone = (one: readonly string[], other: readonly string[]): boolean =>
  one.map(withoutSpace).join('') === other.map(withoutSpace).join('');

/** Finds lines that were removed among those that a change inserts, in any layout. The end is exclusive. */
function findRestored(
  inserted: readonly string[],
  before: readonly string[],
): { start: number; end: number; restored: Restored } | undefined {
  const [text, run] = [inserted.map(withoutSpace), before.map(withoutSpace)];
  const at = findRun(text, run);
  if (at !== undefined) return { start: at, end: at + run.length, restored: 'all' };
  const most = findMost(text, run);
  return most && { ...most, restored: 'most' };
}

/** Finds most distinctive lines of a run in a text, in their order, with any others between them. */
function findMost(
  text: readonly string[],
  run: readonly string[],
): { start: number; end: number } | undefined {
  const wanted = run.filter((line) => isDistinctive(line));
  const least = Math.max(MOST_LINES_MIN, wanted.length * MOST_SHARE);
  if (wanted.length < least) return undefined;
  // The places of each line in the run, the last one first.
  const places = new Map<string, number[]>();
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const line = wanted[index] as string;
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const found: number[] = [];
  let from = 0;
  for (const [at, line] of text.entries()) {
    const open = places.get(line) ?? [];
    while (open.length > 0 && (open.at(-1) as number) < from) open.pop();
    const place = open.pop();
    if (place === undefined) continue;
    found.push(at);
    from = place + 1;
  }
  if (found.length < least) return undefined;
  return { start: found[0] as number, end: (found.at(-1) as number) + 1 };
}

/** Consecutive lines of the target that one change removes. */
interface GoneRun {
  start: number;
  end: number;
  change: LineChange;
}

function findGone(
  { sideStart, sideEnd }: LineChange,
  { places, losses }: { places: LinePlaces; losses: LinePlaces },
): GoneRun[] {
  const runs: GoneRun[] = [];
  for (let line = sideStart; line < sideEnd; line += 1) {
    const at = places.of(line);
    const change = at === undefined ? undefined : losses.removerOf(at);
    if (at === undefined || change === undefined) continue;
    const last = runs.at(-1);
    if (last?.end === at && last.change === change) last.end = at + 1;
    else runs.push({ start: at, end: at + 1, change });
  }
  return runs;
}

/**
 * The same for a landed file whose lines can only be counted, because it counts as binary or is too tangled. Lines that it has
 * as often as the target count as kept, wherever they are.
 *
 * @param landed how often the landed file has the lines of the other versions
 * @returns no block if the earlier versions are too tangled to compare
 */
export function findGoneByCount(
  { old, made, target }: Omit<FileVersions, 'landed'>,
  counts: Record<'target' | 'landed', ReadonlyMap<string, number>>,
  { changesBetween }: Comparing,
): UndoneBlock[] {
  const [hunks, later] = [changesBetween(old, made), changesBetween(made, target)];
  if (hunks === undefined || later === undefined) return [];
  const places = new LinePlaces(later);
  const countOf = (file: 'target' | 'landed', line: string) => counts[file].get(line) ?? 0;
  const isGone = (line: string) => countOf('landed', line) < countOf('target', line);
  const isBack = (line: string) => countOf('landed', line) > countOf('target', line);
  return hunks.flatMap((hunk) => {
    const before = old.lines.slice(hunk.start, hunk.end).filter((line) => isDistinctive(line));
    const restored: Restored = before.length > 0 && before.every(isBack) ? 'all' : undefined;
    const blocks: UndoneBlock[] = [];
    for (let line = hunk.sideStart; line < hunk.sideEnd; line += 1) {
      const at = places.of(line);
      if (at === undefined || !isGone(target.lines[at] as string)) continue;
      const last = blocks.at(-1);
      if (last?.end === at) {
        last.end = at + 1;
      } else {
        const kinds = { restored, isReplaced: false, isWholeInsertion: false };
        blocks.push({ in: 'target', start: at, end: at + 1, lines: [], ...kinds });
      }
    }
    return blocks.map((block) => ({ ...block, lines: target.lines.slice(block.start, block.end) }));
  });
}
