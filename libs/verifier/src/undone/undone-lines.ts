import type { LineSteps } from '../line-steps';
import type { KnownText } from '../merge/known-changes';
import type { LineChange } from '../merge/line-changes';
import { findRun } from '../merge/text';
import { LinePlaces } from './line-places';

/** The versions of a file: before and after an earlier landing, then before and after the one that is examined. */
export interface FileVersions {
  old: KnownText;
  made: KnownText;
  target: KnownText;
  landed: KnownText;
}

interface Comparing {
  /** Computes the changes between two texts; undefined if they are too tangled. */
  changesBetween(from: KnownText, to: KnownText): readonly LineChange[] | undefined;
  steps: LineSteps;
}

/** Consecutive lines of an earlier landing that are gone, or that it had removed and that are there again. */
export interface UndoneBlock {
  in: 'target' | 'landed';
  start: number;
  /** Exclusive. */
  end: number;
  lines: readonly string[];
  /** Whether the lines from before the earlier landing are back in their place. */
  isRestored: boolean;
  /** Whether at least half as many other lines stand in their place. */
  isReplaced: boolean;
  /** Whether they are a whole insertion of the earlier landing, and nothing else is gone there. */
  isWholeInsertion: boolean;
}

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
    steps.spend(sideEnd - sideStart);
    return landed.lines.slice(sideStart, sideEnd);
  };
  return hunks.flatMap((hunk): UndoneBlock[] => {
    const before = old.lines.slice(hunk.start, hunk.end);
    if (hunk.sideEnd > hunk.sideStart) {
      return findGone(hunk, { places, losses }).map(({ start, end, change }) => {
        const instead = inserted(change);
        const isRestored = before.length > 0 && findRun(instead, before) !== undefined;
        const isReplaced = instead.length * 2 >= change.end - change.start;
        const [size, removed] = [hunk.sideEnd - hunk.sideStart, change.end - change.start];
        const isWholeInsertion =
          before.length + instead.length === 0 && end - start === size && removed === size;
        const kinds = { isRestored, isReplaced, isWholeInsertion };
        return { in: 'target', start, end, lines: target.lines.slice(start, end), ...kinds };
      });
    }
    return losses.changesAround(places.before(hunk.sideStart)).flatMap((change): UndoneBlock[] => {
      const at = findRun(inserted(change), before);
      if (at === undefined) return [];
      const start = change.sideStart + at;
      const end = start + before.length;
      return [
        {
          in: 'landed',
          start,
          end,
          lines: before,
          isRestored: true,
          isReplaced: false,
          isWholeInsertion: false,
        },
      ];
    });
  });
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
