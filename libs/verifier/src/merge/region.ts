import type { LineSteps } from '../line-steps';
import type { LineChange } from './line-changes';
import type { Range } from './merge-template';

/**
 * Where the lines of a range went, and what changed right at its ends. Where lines beside the range were replaced,
 * nobody can tell whether what came instead of them stands for the range as well: then it is both, the narrow one first.
 *
 * @returns none when a change that left lines is only partly inside
 */
export function regionsOf(changes: readonly LineChange[], { start, end }: Range, steps: LineSteps): Range[] {
  steps.spend(changes.length);
  let [before, inside, above, below] = [0, 0, 0, 0];
  for (const change of changes) {
    const lines = change.sideEnd - change.sideStart;
    const growth = lines - (change.end - change.start);
    if (lines === 0) {
      // Wherever it is cut, nothing came of it.
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
