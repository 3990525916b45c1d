import type { LineSteps } from '../line-steps';
import type { MergeTemplate, Range, Sides, UndisputedLine } from './merge-template';
import { countLines, findRun } from './text';

/** Lines that each side deleted: the base has them, and the side has none of them. */
export interface DeletedLines {
  byOurs: Lines;
  byTheirs: Lines;
}

/** Lines of which only the membership counts. */
export type Lines = Pick<ReadonlySet<string>, 'has'>;

export function deletedLines(base: readonly string[], { ours, theirs }: Sides): DeletedLines {
  const without = (side: readonly string[]) => {
    const lines = new Set(base);
    for (const line of side) lines.delete(line);
    return lines;
  };
  return { byOurs: without(ours), byTheirs: without(theirs) };
}

/** Both sides of a template, with the lines that a decision may leave out. */
export interface DecidedSides extends Sides {
  deleted: DeletedLines;
  /** Whether a line that both sides have in a conflict may be there once. */
  areSharedOnce?: boolean;
}

/**
 * Finds the lines that a text has in each hole. Repeated lines can allow several answers. If one side's own lines fill
 * every hole, these are the answer. Otherwise a plain reading is preferred to any other one.
 *
 * @returns undefined if an undisputed line is missing, altered or out of order, or if lines are added outside of holes
 */
export function decisionsIn(
  template: MergeTemplate,
  text: readonly string[],
  { sides, steps }: { sides: DecidedSides; steps: LineSteps },
): Range[] | undefined {
  const { lines, holes } = template;
  const stretches = stretchesBetween(holes, lines);
  for (const side of ['theirs', 'ours'] as const) {
    const chosen = holes.map(({ hole }) => sides[side].slice(hole[side].start, hole[side].end));
    const decisions = decidedAs(chosen, stretches, text);
    if (decisions !== undefined) return decisions;
  }
  const plain =
    plainDecisions(template, text, { sides, steps }) ??
    plainDecisions(template, text, { sides: { ...sides, areSharedOnce: true }, steps });
  if (plain !== undefined) return plain;
  const [first = [], ...others] = stretches;
  if (!isAt(text, 0, first)) return undefined;
  const decisions: Range[] = [];
  let at = first.length;
  for (const [index, stretch] of others.entries()) {
    const isLast = index === others.length - 1;
    // The next undisputed lines may be in several places; the first one leaves most room for the rest.
    const found = isLast ? lastPlace(text, at, stretch) : nextPlace(text, at, stretch);
    if (found === undefined) return undefined;
    decisions.push({ start: at, end: found });
    at = found + stretch.length;
  }
  return at === text.length ? decisions : undefined;
}

/** A place in the text that a reading can reach before a hole, with the decisions that lead there. */
interface Reached {
  at: number;
  /** The last decision, and the place before it. Absent at the beginning. */
  decision?: Range;
  from?: Reached;
}

/**
 * Reads a text as a merge in which each conflict was decided plainly: as one side's lines followed by the other's, each
 * with or without the lines that the other side deleted, or as the source's lines alone.
 *
 * @returns the lines of each decision; undefined if the text has no such reading
 */
export function plainDecisions(
  { lines, holes }: Pick<MergeTemplate, 'lines' | 'holes'>,
  text: readonly string[],
  { sides, steps }: { sides: DecidedSides; steps: LineSteps },
): Range[] | undefined {
  const [first = [], ...others] = stretchesBetween(holes, lines).map((stretch) => textsOf(stretch));
  const begin = endOf([whole(first)], text, 0);
  let reached: Reached[] = begin === undefined ? [] : [{ at: begin }];
  for (const [index, stretch] of others.entries()) {
    const { hole } = holes[index] as MergeTemplate['holes'][number];
    const ours = sides.ours.slice(hole.ours.start, hole.ours.end);
    const theirs = sides.theirs.slice(hole.theirs.start, hole.theirs.end);
    const ways = waysToDecide({ ...sides, ours, theirs });
    const next = new Map<number, Reached>();
    for (const from of reached) {
      steps.spend(ways.length * (ours.length + theirs.length + stretch.length));
      for (const parts of ways) {
        const end = endOf(parts, text, from.at);
        const at = end === undefined ? undefined : endOf([whole(stretch)], text, end);
        if (end === undefined || at === undefined || next.has(at)) continue;
        next.set(at, { at, decision: { start: from.at, end }, from });
      }
    }
    reached = [...next.values()];
  }
  return decisionsOf(reached.find(({ at }) => at === text.length));
}

function decisionsOf(last: Reached | undefined): Range[] | undefined {
  if (last === undefined) return undefined;
  const decisions: Range[] = [];
  for (let each: Reached | undefined = last; each?.decision; each = each.from) decisions.push(each.decision);
  return decisions.reverse();
}

/** Lines of a decision, with those that may be left out: all that are `deleted`, and the `others`, once for each. */
interface Part {
  lines: readonly string[];
  deleted: Lines;
  others?: readonly string[];
}

const whole = (lines: readonly string[]): Part => ({ lines, deleted: new Set() });

function waysToDecide({ ours, theirs, deleted, areSharedOnce = false }: DecidedSides): Part[][] {
  const [kept, brought] = [
    { lines: ours, deleted: deleted.byTheirs },
    { lines: theirs, deleted: deleted.byOurs },
  ];
  if (!areSharedOnce) return [[whole(theirs)], [kept, brought], [brought, kept]];
  // A line that both sides have is left out at most of one of them.
  const [ownKept, ownBrought] = [
    { ...kept, others: theirs },
    { ...brought, others: ours },
  ];
  return [[whole(theirs)], [ownKept, brought], [brought, ownKept], [kept, ownBrought], [ownBrought, kept]];
}

/** @returns undefined if the text has other lines there */
function endOf(parts: readonly Part[], text: readonly string[], start: number): number | undefined {
  let next = start;
  for (const { lines, deleted, others = [] } of parts) {
    const shared = countLines(others);
    for (const line of lines) {
      const left = shared.get(line) ?? 0;
      if (text[next] === line) next += 1;
      else if (left > 0) shared.set(line, left - 1);
      else if (!deleted.has(line)) return undefined;
    }
  }
  return next;
}

const textsOf = (lines: readonly UndisputedLine[]): string[] => lines.map(({ text }) => text);

/** The lines in each hole if the text has the chosen lines in all of them, otherwise undefined. */
function decidedAs(
  chosen: readonly (readonly string[])[],
  stretches: readonly (readonly UndisputedLine[])[],
  text: readonly string[],
): Range[] | undefined {
  const decisions: Range[] = [];
  let at = 0;
  for (const [index, stretch] of stretches.entries()) {
    if (!isAt(text, at, stretch)) return undefined;
    at += stretch.length;
    const lines = chosen[index];
    if (lines === undefined) break;
    if (!lines.every((line, offset) => text[at + offset] === line)) return undefined;
    decisions.push({ start: at, end: at + lines.length });
    at += lines.length;
  }
  return at === text.length ? decisions : undefined;
}

/** The undisputed lines before, between and after the holes. */
function stretchesBetween(
  holes: MergeTemplate['holes'],
  lines: readonly UndisputedLine[],
): UndisputedLine[][] {
  const cuts = [0, ...holes.map(({ before }) => before), lines.length];
  return cuts.slice(1).map((end, index) => lines.slice(cuts[index], end));
}

const nextPlace = (
  text: readonly string[],
  from: number,
  lines: readonly UndisputedLine[],
): number | undefined =>
  findRun(
    text,
    lines.map((line) => line.text),
    from,
  );

function isAt(text: readonly string[], at: number, lines: readonly UndisputedLine[]): boolean {
  return at + lines.length <= text.length && lines.every((line, index) => text[at + index] === line.text);
}

function lastPlace(
  text: readonly string[],
  from: number,
  lines: readonly UndisputedLine[],
): number | undefined {
  const at = text.length - lines.length;
  return at >= from && isAt(text, at, lines) ? at : undefined;
}
