import type { LineSteps } from '../line-steps';
import type { LineChange } from './line-changes';
import type { Range } from './merge-template';

/**
 * Finds the lines that a range became. If lines next to the range were replaced, the replacement may stand for the
 * range as well, so both results are returned: first without the replacement, then with it.
 *
 * @returns an empty list if a change that left lines overlaps the range only in part
 */
export function regionsOf(changes: readonly LineChange[], { start, end }: Range, steps: LineSteps): Range[] {
  steps.spend(changes.length);
  let [before, inside, above, below] = [0, 0, 0, 0];
  for (const change of changes) {
    const lines = change.sideEnd - change.sideStart;
    const growth = lines - (change.end - change.start);
    if (lines === 0) {
      // A pure deletion leaves no lines, so it can be split at the range's ends.
      before -= Math.max(0, Math.min(change.end, start) - change.start);
      inside -= Math.max(0, Math.min(change.end, end) - Math.max(change.start, start));
    } else if (change.start >= start && change.end <= end) {
      inside += growth;
    } else if (change.end <= start) {
      before += growth;
      if (change.end === start) above = lines;
    } else if (change.start < end) {
      return [];
    } else if (change.start === end) {
      below = lines;
    }
  }
  const narrow = { start: start + before, end: end + before + inside };
  return above + below === 0 ? [narrow] : [narrow, { start: narrow.start - above, end: narrow.end + below }];
}
