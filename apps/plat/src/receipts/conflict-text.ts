/** A file as git merges it: lines outside of its conflicts, and the places between them. One part more than places. */
export interface ConflictText {
  parts: string[][];
  places: ConflictPlace[];
}

/** The lines of both sides in the place of a conflict. */
export interface ConflictPlace {
  target: string[];
  source: string[];
}

/** Names in git's markers: hashes of commits, which neither commit's own files can have. */
export interface MarkerNames {
  target: string;
  source: string;
}

/** The lines of a text, each with its end. Bytes are kept if the text is read as latin1. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

const withoutEnd = (line: string): string => line.replace(/\r?\n$/, '');

/**
 * Splits a file with git's conflict markers.
 *
 * @returns undefined if it has no conflict, or lines of its own that look like git's markers
 */
export function readConflictText(text: string, { target, source }: MarkerNames): ConflictText | undefined {
  const isMarker = (line: string, sign: string, name: string) =>
    line === `${sign} ${name}` || line.startsWith(`${sign} ${name}:`);
  let part: string[] = [];
  const read: ConflictText = { parts: [part], places: [] };
  let place: ConflictPlace | undefined;
  let side: keyof ConflictPlace = 'target';
  for (const line of linesOf(text)) {
    const bare = withoutEnd(line);
    if (isMarker(bare, '<<<<<<<', target)) {
      if (place !== undefined) return undefined;
      [place, side] = [{ target: [], source: [] }, 'target'];
    } else if (isMarker(bare, '>>>>>>>', source)) {
      if (place === undefined || side === 'target') return undefined;
      read.places.push(place);
      read.parts.push((part = []));
      place = undefined;
    } else if (place === undefined) {
      part.push(line);
    } else if (bare === '=======') {
      // A second one is a line of a side, and no one can determine which of both separates them.
      if (side === 'source') return undefined;
      side = 'source';
    } else {
      place[side].push(line);
    }
  }
  return place === undefined && read.places.length > 0 ? read : undefined;
}

/** Lines from `start` to before `end`, counted from 0. */
export interface LineRange {
  start: number;
  end: number;
}

/**
 * How a file with conflicts landed. `decided`: all lines outside of its conflicts are there in order, and each place has
 * lines that are neither the target's side alone, nor none, nor git's markers.
 */
export type LandedConflict =
  { outcome: 'decided'; places: LineRange[] } | { outcome: 'undecided' } | { outcome: 'outside' };

/** Most comparisons of a place with a line: those of 200 places in a file of 100,000 lines. */
const STEPS_MAX = 20_000_000;

/**
 * Finds the places of a file's conflicts in the landed file. If repeated lines leave several ways to find them, one in
 * which each place is decided suffices.
 *
 * @returns undefined if they are too many to be found
 */
export function findDecisions(conflict: ConflictText, landed: readonly string[]): LandedConflict | undefined {
  if (conflict.places.length * landed.length > STEPS_MAX) return undefined;
  const first = conflict.parts[0] ?? [];
  if (!isAt(landed, first, 0)) return { outcome: 'outside' };
  const decided = place(conflict, landed, (at, range) => isDecided(conflict.places[at]!, landed, range));
  if (decided !== undefined) return { outcome: 'decided', places: decided };
  return { outcome: place(conflict, landed, () => true) === undefined ? 'outside' : 'undecided' };
}

/** A position behind the part after a place, with the place that leads there. */
interface Step {
  end: number;
  range: LineRange;
  before: Step | undefined;
}

type Accepts = (at: number, range: LineRange) => boolean;

function place(
  { parts, places }: ConflictText,
  landed: readonly string[],
  accepts: Accepts,
): LineRange[] | undefined {
  const length = (parts[0] ?? []).length;
  let steps: Step[] = [{ end: length, range: { start: 0, end: 0 }, before: undefined }];
  for (const at of places.keys()) {
    const part = parts[at + 1] ?? [];
    const from = steps[0]?.end ?? landed.length;
    const starts = at === places.length - 1 ? lastStart(part, landed, from) : occurrences(part, landed, from);
    const reached = reach(steps, starts, (range) => accepts(at, range));
    steps = reached.map(({ end, ...step }) => ({ ...step, end: end + part.length }));
  }
  const last = steps[0];
  return last && rangesOf(last);
}

/**
 * The positions that a place can reach. Three of the nearest positions before it suffice: only two lengths of a place are
 * refused, and the shortest place has the fewest markers.
 */
function reach(
  steps: readonly Step[],
  starts: readonly number[],
  accepts: (range: LineRange) => boolean,
): Step[] {
  let next = 0;
  return starts.flatMap((end) => {
    while (next < steps.length && steps[next]!.end <= end) next += 1;
    const nearest = steps.slice(Math.max(0, next - 3), next).toReversed();
    const before = nearest.find((step) => accepts({ start: step.end, end }));
    return before === undefined ? [] : [{ end, range: { start: before.end, end }, before }];
  });
}

function rangesOf(last: Step): LineRange[] {
  const ranges: LineRange[] = [];
  for (let step: Step | undefined = last; step?.before !== undefined; step = step.before) {
    ranges.unshift(step.range);
  }
  return ranges;
}

const isAt = (lines: readonly string[], part: readonly string[], at: number): boolean =>
  at + part.length <= lines.length && part.every((line, n) => lines[at + n] === line);

function lastStart(part: readonly string[], landed: readonly string[], from: number): number[] {
  const start = landed.length - part.length;
  return start >= from && isAt(landed, part, start) ? [start] : [];
}

/** Where a part stands in a file, from a position on, by the algorithm of Knuth, Morris and Pratt. */
function occurrences(part: readonly string[], landed: readonly string[], from: number): number[] {
  if (part.length === 0) {
    return landed
      .slice(from)
      .map((_, at) => from + at)
      .concat(landed.length);
  }
  const back = [0];
  for (let at = 1, known = 0; at < part.length; at += 1) {
    while (known > 0 && part[at] !== part[known]) known = back[known - 1]!;
    if (part[at] === part[known]) known += 1;
    back.push(known);
  }
  const found: number[] = [];
  for (let at = from, known = 0; at < landed.length; at += 1) {
    while (known > 0 && landed[at] !== part[known]) known = back[known - 1]!;
    if (landed[at] === part[known]) known += 1;
    if (known < part.length) continue;
    found.push(at - part.length + 1);
    known = back[known - 1]!;
  }
  return found;
}

const MARKER = /^(<{7}|>{7})( |\r?\n?$)/;

/**
 * The source's side alone is a decision, also if it is empty: a person looks at it. If it is empty, any lines are one,
 * because the source has none there that could be missing.
 */
function isDecided(
  { target, source }: ConflictPlace,
  landed: readonly string[],
  { start, end }: LineRange,
): boolean {
  const equals = (side: readonly string[]) =>
    side.length === end - start &&
    side.every((line, at) => withoutEnd(line) === withoutEnd(landed[start + at]!));
  if (equals(source)) return true;
  if (source.length > 0 && (start === end || equals(target))) return false;
  const known = new Set([...target, ...source]);
  for (let at = start; at < end; at += 1) {
    const line = landed[at]!;
    if (MARKER.test(line) && !known.has(line)) return false;
  }
  return true;
}
