import type { LineChange } from './line-changes';
import type { Range } from './merge-template';

/**
 * Where the lines of a range went, and what changed right at its ends.
 * @returns undefined when a change is only partly inside
 */
export function regionIn(changes: readonly LineChange[], { start, end }: Range): Range | undefined {
  let before = 0;
  let inside = 0;
  for (const change of changes) {
    const growth = change.sideEnd - change.sideStart - (change.end - change.start);
    if (change.start >= start && change.end <= end) inside += growth;
    else if (change.end <= start) before += growth;
    else if (change.start < end) return undefined;
  }
  return { start: start + before, end: end + before + inside };
}
