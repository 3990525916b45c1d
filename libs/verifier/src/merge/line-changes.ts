import type { LineSteps } from '../line-steps';
import { histogramDiff } from './histogram-diff';
import { slideChanges } from './slide-changes';

/** What numbering a line takes, in lines looked at: of many lines each takes longer, since no cache holds them all. */
const numberingSteps = (lines: number): number => lines * (8 + Math.floor(lines / 10_000));

/** A contiguous change: lines of the base from `start` to before `end` became those of the side likewise. */
export interface LineChange {
  start: number;
  end: number;
  sideStart: number;
  sideEnd: number;
}

/**
 * What became of a base, in order, as git's merge sees it.
 * @returns undefined when the texts are too tangled to be compared here
 * @throws RemoteFailure remote_too_large when the verification has compared too many lines
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

/** A line is hashed once; from then on it is compared as a number, however long it is. */
function numbered(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const found = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    let known = numbers.get(line);
    if (known === undefined) numbers.set(line, (known = numbers.size));
    found[index] = known;
  }
  return found;
}
