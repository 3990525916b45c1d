import type { LineSteps } from '../line-steps';
import { histogramDiff } from './histogram-diff';
import { slideChanges } from './slide-changes';

/** Steps of numbering lines. A line costs more if there are many: their table exceeds the processor's caches. */
const numberingSteps = (lines: number): number => lines * (8 + Math.floor(lines / 10_000));

/**
 * A contiguous change: the base's lines from `start` to before `end` became the side's from `sideStart` to before
 * `sideEnd`.
 */
export interface LineChange {
  start: number;
  end: number;
  sideStart: number;
  sideEnd: number;
}

/**
 * The changes of a base, in order, as git's merge sees them.
 * @returns undefined if the texts are too tangled to compare
 * @throws RemoteFailure remote_too_large if the verification has compared too many lines
 */
export function lineChanges(
  base: readonly string[],
  side: readonly string[],
  steps: LineSteps,
): LineChange[] | undefined {
  steps.spend(numberingSteps(base.length + side.length));
  const numbers = new Map<string, number>();
  const [one, other] = [numbered(base, numbers), numbered(side, numbers)];
  const flags = histogramDiff({ base: one, changed: other, distinct: numbers.size }, steps);
  if (flags === undefined) return undefined;
  const flagged = [
    { lines: one, changed: flags.base },
    { lines: other, changed: flags.changed },
  ] as const;
  slideChanges(flagged[0], flagged[1]);
  slideChanges(flagged[1], flagged[0]);
  const changes: LineChange[] = [];
  for (let [at, sideAt] = [0, 0]; at < base.length || sideAt < side.length; at += 1, sideAt += 1) {
    const change = { start: at, end: at, sideStart: sideAt, sideEnd: sideAt };
    while (flags.base[change.end] === 1) change.end += 1;
    while (flags.changed[change.sideEnd] === 1) change.sideEnd += 1;
    [at, sideAt] = [change.end, change.sideEnd];
    if (change.end > change.start || change.sideEnd > change.sideStart) changes.push(change);
  }
  return changes;
}

/**
 * The changes of a text, searched between the lines that both versions begin and end with.
 * @returns undefined if the texts are too tangled to compare
 * @throws RemoteFailure remote_too_large
 */
export function changesBetweenEnds(
  base: readonly string[],
  side: readonly string[],
  steps: LineSteps,
): LineChange[] | undefined {
  const shorter = Math.min(base.length, side.length);
  let start = 0;
  while (start < shorter && base[start] === side[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && base.at(-1 - tail) === side.at(-1 - tail)) tail += 1;
  steps.spend(start + tail);
  const between = (lines: readonly string[]) => lines.slice(start, lines.length - tail);
  return lineChanges(between(base), between(side), steps)?.map((change) => ({
    start: change.start + start,
    end: change.end + start,
    sideStart: change.sideStart + start,
    sideEnd: change.sideEnd + start,
  }));
}

/** Replaces lines with numbers: each line is hashed once, and then compared as a number. */
function numbered(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const found = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    let known = numbers.get(line);
    if (known === undefined) numbers.set(line, (known = numbers.size));
    found[index] = known;
  }
  return found;
}
