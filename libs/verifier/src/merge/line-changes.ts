import { histogramDiff } from './histogram-diff';
import { slideChanges } from './slide-changes';

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
 */
export function lineChanges(base: readonly string[], side: readonly string[]): LineChange[] | undefined {
  const flags = histogramDiff(base, side);
  if (flags === undefined) return undefined;
  const flagged = [
    { lines: base, changed: flags.base },
    { lines: side, changed: flags.changed },
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
