import type { LineSteps } from '../line-steps';
import { lineChanges } from './line-changes';
import type { MergedLines, MergedStretch } from './merge-lines';

/** Consecutive lines of a text. The end is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A place where the sides conflict; a decision may have any lines there. */
export interface Hole {
  ours: Range;
  theirs: Range;
  /** The lines of the base in the whole conflict, of which the hole may be a part. */
  base: Range;
}

/** The origin of a line: unchanged, of one side, or of both alike. */
export type Owner = 'base' | 'ours' | 'theirs' | 'both';

/** A line outside of conflicts, with its position in the side that it comes from (`ours` for lines of the base). */
export interface UndisputedLine {
  text: string;
  owner: Owner;
  at: number;
}

/** A place where a side deleted lines of the base: before the undisputed line of this index. */
export interface Deletion {
  before: number;
  owner: Exclude<Owner, 'base'>;
  base: Range;
}

/**
 * The merge of two texts as undisputed lines, with holes where the sides conflict. A text is such a merge, with its
 * conflicts decided, if it has all these lines in their order and additional lines only in the holes.
 */
export interface MergeTemplate {
  lines: UndisputedLine[];
  deletions: Deletion[];
  /** Each hole with the index of the undisputed line that follows it, in order. */
  holes: { before: number; hole: Hole }[];
}

export interface Sides {
  ours: readonly string[];
  theirs: readonly string[];
}

/**
 * Most lines between two conflicts that git shows as one. Such lines are between the markers, so a decision may change
 * them.
 */
const SHOWN_WITH_CONFLICT_MAX = 3;

/** @returns undefined if the sides are too tangled to compare with each other */
export function mergeTemplate(
  { stretches }: MergedLines,
  texts: Sides,
  steps: LineSteps,
): MergeTemplate | undefined {
  const writer = new TemplateWriter(texts, steps);
  for (const stretch of stretches) {
    writer.copyUpTo(stretch.oursStart);
    if (stretch.from !== 'conflict') writer.takeOver(stretch, stretch.from);
    else if (!writer.leaveOpen(stretch)) return undefined;
  }
  writer.copyUpTo(texts.ours.length);
  return writer.template;
}

class TemplateWriter {
  readonly template: MergeTemplate = { lines: [], deletions: [], holes: [] };
  private at = 0;

  constructor(
    private readonly texts: Sides,
    private readonly steps: LineSteps,
  ) {}

  /** Adds lines of the base up to a line of ours. */
  copyUpTo(oursStart: number): void {
    this.push('base', { start: this.at, end: oursStart });
    this.at = oursStart;
  }

  takeOver(stretch: MergedStretch, owner: Exclude<Owner, 'base'>): void {
    const { start, end } = stretch;
    if (end > start) {
      this.template.deletions.push({ before: this.template.lines.length, owner, base: { start, end } });
    }
    if (owner === 'theirs') this.push(owner, { start: stretch.theirsStart, end: stretch.theirsEnd });
    else this.push(owner, { start: stretch.oursStart, end: stretch.oursEnd });
    this.at = stretch.oursEnd;
  }

  /** Adds a conflict. Equal lines of both sides within it are undisputed. */
  leaveOpen(stretch: MergedStretch): boolean {
    const { start: baseStart, end: baseEnd, oursStart, oursEnd, theirsStart, theirsEnd } = stretch;
    const base = { start: baseStart, end: baseEnd };
    const [ours, theirs] = [
      this.texts.ours.slice(oursStart, oursEnd),
      this.texts.theirs.slice(theirsStart, theirsEnd),
    ];
    const changes = lineChanges(ours, theirs, this.steps);
    if (changes === undefined) return false;
    let done = 0;
    for (const { start, end, sideStart, sideEnd } of changes) {
      this.push('both', { start: oursStart + done, end: oursStart + start });
      this.pushHole({
        ours: { start: oursStart + start, end: oursStart + end },
        theirs: { start: theirsStart + sideStart, end: theirsStart + sideEnd },
        base,
      });
      done = end;
    }
    this.push('both', { start: oursStart + done, end: oursEnd });
    this.at = oursEnd;
    return true;
  }

  private pushHole(hole: Hole): void {
    const { lines, deletions, holes } = this.template;
    const last = holes.at(-1);
    const between = last === undefined ? [] : lines.slice(last.before);
    const isShownTogether =
      last !== undefined &&
      between.length <= SHOWN_WITH_CONFLICT_MAX &&
      between.every(({ owner }) => owner === 'base' || owner === 'both') &&
      // The deletions are in order.
      (deletions.at(-1)?.before ?? -1) < last.before;
    if (!isShownTogether) return void holes.push({ before: lines.length, hole });
    lines.length = last.before;
    last.hole = joined(last.hole, hole);
  }

  private push(owner: Owner, { start, end }: Range): void {
    const side = owner === 'theirs' ? this.texts.theirs : this.texts.ours;
    for (let at = start; at < end; at += 1) this.template.lines.push({ text: side[at] as string, owner, at });
  }
}

/** One hole in place of two, with the lines between them. */
const joined = (first: Hole, last: Hole): Hole => ({
  ours: { start: first.ours.start, end: last.ours.end },
  theirs: { start: first.theirs.start, end: last.theirs.end },
  base: { start: first.base.start, end: last.base.end },
});
