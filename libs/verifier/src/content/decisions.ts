import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';
import { mergeLines } from '../merge/merge-lines';
import type { Hole, MergeTemplate, Range } from '../merge/merge-template';
import { type DeletedLines, deletedLines } from '../merge/read-decisions';
import { regionsOf } from '../merge/region';
import { countLines, isSameLines } from '../merge/text';
import {
  type Candidates,
  containsBoth,
  ignoredLines,
  isMadeOf,
  isPartOf,
  isSame,
  restoredLines,
  type Version,
  versions,
  withoutSpace,
} from './decided-versions';
import { type Deviation, linesIn } from './finding';

/** All versions of a file that a decision is compared with, as lines. */
export interface DecidedTexts {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
  landed: readonly string[];
  /** Versions of earlier commits of the source, without those of the base and the source tip. */
  earlierSource: readonly (readonly string[])[];
  /** Versions of earlier commits of the target, without those of the base and the landed commit's parent. */
  earlierTarget: readonly (readonly string[])[];
}

type Place = Omit<Deviation, 'path'>;
type Changes = LineChange[] | undefined;
type StaleReading = Pick<Deviation, 'reason' | 'isUnclear'>;

/** How often the lines of a conflict are counted for a hole, in the time that a line takes otherwise. */
const CONFLICT_READINGS = 4;

const MISSING: StaleReading = { reason: 'source_change_missing' };
const UNCLEAR: StaleReading = { ...MISSING, isUnclear: true };
const UNDONE: StaleReading = { reason: 'target_change_undone' };

/**
 * Finds the decisions that only repeat an older state: the place equals the target's, or an earlier source commit's, or
 * the merge onto an earlier commit of the target. New lines, both sides put together, and the source's own lines are
 * genuine decisions and are not returned.
 */
export function staleDecisions(
  { holes }: MergeTemplate,
  { decisions, texts, steps }: { decisions: readonly Range[]; texts: DecidedTexts; steps: LineSteps },
): Place[] {
  const reader = new HoleReader(texts, steps);
  return holes.flatMap(({ hole }, index) => {
    const decision = decisions[index] as Range;
    const reading = reader.staleReading(hole, texts.landed.slice(decision.start, decision.end));
    if (reading === undefined) return [];
    return [
      reading.reason === 'source_change_missing'
        ? { kind: 'missing', ...reading, ...linesIn('source', hole.theirs) }
        : { kind: 'undone', ...reading, ...linesIn('target', hole.ours) },
    ] as Place[];
  });
}

/** Finds what each version has in place of a hole. */
class HoleReader {
  private changes?: Record<'ours' | 'theirs', Changes[]>;
  private counts?: HoleReader['linesOf'];
  private readonly baseFromTheirs: Changes;
  private readonly baseFromOurs: Changes;
  private readonly deleted: DeletedLines;

  constructor(
    private readonly texts: DecidedTexts,
    private readonly steps: LineSteps,
  ) {
    const { base, ours, theirs } = texts;
    this.baseFromTheirs = lineChanges(theirs, base, steps);
    this.baseFromOurs = lineChanges(ours, base, steps);
    this.deleted = deletedLines(base, texts);
  }

  staleReading(hole: Hole, decision: readonly string[]): StaleReading | undefined {
    const ours = this.texts.ours.slice(hole.ours.start, hole.ours.end);
    const theirs = this.texts.theirs.slice(hole.theirs.start, hole.theirs.end);
    const base = this.baseIn(hole);
    if (isSameLines(decision, theirs)) return undefined;
    const earlier = this.earlierChanges();
    const targets = versions(ours, this.earlierIn(earlier.ours, this.texts.earlierTarget, hole.ours), base);
    const sources = versions(
      theirs,
      this.earlierIn(earlier.theirs, this.texts.earlierSource, hole.theirs),
      base,
    );
    const { start, end } = hole.conflict.base;
    // A conflict may have many holes, and each of them is compared with the whole of it, several times.
    this.steps.spend(CONFLICT_READINGS * (end - start));
    const candidates = { targets, sources, base, conflictBase: this.texts.base.slice(start, end) };
    const reading = this.sideTaken(decision, candidates, hole);
    if (reading !== 'neither') return reading;
    const isTargetIdle = ours.length === 0 || (base !== undefined && isSameLines(ours, base));
    if (isTargetIdle && isPartOf(decision, { theirs, base: base ?? this.texts.base })) return MISSING;
    if (sources.some((each) => each.isEarlier && this.isMergeOf(decision, ours, { source: each, base }))) {
      return MISSING;
    }
    return this.combinedFrom(decision, candidates);
  }

  /** Judges a decision that is the target's lines, the base's or none. @returns `neither` for any other decision */
  private sideTaken(
    decision: readonly string[],
    { targets, sources, base }: Candidates,
    hole: Hole,
  ): StaleReading | undefined | 'neither' {
    const [ours, theirs] = [(targets[0] as Version).lines, (sources[0] as Version).lines];
    if (isSameLines(decision, ours)) {
      // The source changed nothing here, so keeping the target's lines loses nothing.
      if (base && isSameLines(base, theirs)) return this.ignored(hole, { ours, theirs });
      // The target had the source's lines before, so that its own may be their next version.
      return targets.some((each) => each.isEarlier && isSame(theirs, each)) ? UNCLEAR : MISSING;
    }
    const isNothing = decision.length === 0 && theirs.length > 0 && base !== undefined && base.length > 0;
    return isNothing || (base && isSameLines(decision, base)) ? MISSING : 'neither';
  }

  /** Judges the target's lines in a place in which the base seems to have the source's. */
  private ignored(
    { conflict }: Hole,
    place: { ours: readonly string[]; theirs: readonly string[] },
  ): StaleReading | undefined {
    const lines = ignoredLines(place, {
      base: this.texts.base.slice(conflict.base.start, conflict.base.end),
      ours: this.texts.ours.slice(conflict.ours.start, conflict.ours.end),
      theirs: this.texts.theirs.slice(conflict.theirs.start, conflict.theirs.end),
    });
    if (lines.length === 0) return undefined;
    return lines.every((line) => this.isRepeated(line)) ? UNCLEAR : MISSING;
  }

  /** Judges a decision that combines two versions of which one may be an earlier one, or that lacks an added line. */
  private combinedFrom(decision: readonly string[], candidates: Candidates): StaleReading | undefined {
    const { targets, sources, base, conflictBase } = candidates;
    const { deleted } = this;
    const made = (target: Version, source: Version, areSharedOnce = true) =>
      isMadeOf(decision, { target, source, base, conflictBase, deleted, areSharedOnce }, this.steps);
    const [target, source] = [targets[0] as Version, sources[0] as Version];
    const areInFull = containsBoth(decision, target.lines, source.lines) || made(target, source, false);
    const areTogether = areInFull || made(target, source);
    const restored =
      base === undefined ? [] : restoredLines(decision, { target, source, base, conflictBase });
    if (areInFull && restored.length === 0) return undefined;
    if (sources.some((each) => each.isEarlier && (isSame(decision, each) || made(target, each)))) {
      // If a line repeats in the file, the one that is back may not be the one that was deleted. If a line of both
      // sides is there once, the source's may be missing.
      return areTogether && restored.every((line) => this.isRepeated(line)) ? UNCLEAR : MISSING;
    }
    if (areTogether) return undefined;
    if (targets.some((each) => each.isEarlier && (isSame(decision, each) || made(each, source)))) {
      return UNDONE;
    }
    return this.exceptLayout(decision, candidates) ?? this.lostAddition(decision, candidates);
  }

  /** Judges a decision that is an older state in another layout: other blank lines, or white space around a line. */
  private exceptLayout(
    decision: readonly string[],
    { targets, sources, base }: Candidates,
  ): StaleReading | undefined {
    const [landed, source, target] = [decision, sources[0]?.lines ?? [], targets[0]?.lines ?? []].map(
      withoutSpace,
    );
    const before = base && withoutSpace(base);
    if (landed === source || landed === '' || before === source) return undefined;
    const isOld = [target, before, ...sources.slice(1).map(({ lines }) => withoutSpace(lines))].includes(
      landed,
    );
    return isOld ? MISSING : undefined;
  }

  /**
   * Finds a line of a side that is nowhere in the landed file, although that side added it or both sides kept it. Only
   * for a conflict in which the base has no lines, and a decision of the sides' lines alone, so that no new line
   * replaces the lost one.
   */
  private lostAddition(
    decision: readonly string[],
    { targets, sources, base, conflictBase }: Candidates,
  ): StaleReading | undefined {
    const [target, source] = [targets[0] as Version, sources[0] as Version];
    const sides = new Set([...target.lines, ...source.lines]);
    const isAddition = conflictBase.length === 0 || base?.length === 0;
    if (!isAddition || !decision.every((line) => sides.has(line))) return undefined;
    const { landed, base: known, ours, theirs } = this.linesOf;
    const isLost = (own: readonly string[], other: ReadonlyMap<string, number>) =>
      own.some((line) => !landed.has(line) && known.has(line) === other.has(line));
    if (isLost(source.lines, ours)) return MISSING;
    return isLost(target.lines, theirs) ? UNDONE : undefined;
  }

  /**
   * Whether the decision is the merge, without conflicts, of the target and a version of the source. If that version is
   * an earlier one, lines are back that the source deleted later, even if the decision seems to contain both sides.
   */
  private isMergeOf(
    decision: readonly string[],
    ours: readonly string[],
    { source, base }: { source: Version; base: readonly string[] | undefined },
  ): boolean {
    const merged = base && mergeLines(base, { ours, theirs: source.lines }, this.steps);
    return merged?.lines !== undefined && isSameLines(decision, merged.lines);
  }

  private isRepeated(line: string): boolean {
    return (this.linesOf.base.get(line) ?? 0) > 1;
  }

  /** How often each line is in each text. Counted once, and only if a decision needs it. */
  private get linesOf(): Record<'base' | 'ours' | 'theirs' | 'landed', ReadonlyMap<string, number>> {
    const { base, ours, theirs, landed } = this.texts;
    this.counts ??= {
      base: countLines(base),
      ours: countLines(ours),
      theirs: countLines(theirs),
      landed: countLines(landed),
    };
    return this.counts;
  }

  /** Computed only if a decision needs it. */
  private earlierChanges(): Record<'ours' | 'theirs', Changes[]> {
    const { ours, theirs, earlierSource, earlierTarget } = this.texts;
    this.changes ??= {
      ours: earlierTarget.map((version) => lineChanges(ours, version, this.steps)),
      theirs: earlierSource.map((version) => lineChanges(theirs, version, this.steps)),
    };
    return this.changes;
  }

  private earlierIn(
    changes: readonly Changes[],
    texts: readonly (readonly string[])[],
    range: Range,
  ): (readonly string[])[] {
    return texts.flatMap((text, index) => {
      const own = changes[index];
      const regions = own === undefined ? [] : regionsOf(own, range, this.steps);
      return regions.map(({ start, end }) => text.slice(start, end));
    });
  }

  /** The base's lines in place of a hole. @returns undefined if the place is ambiguous */
  private baseIn({ ours, theirs }: Hole): readonly string[] | undefined {
    const region = this.regionOf(theirs, this.baseFromTheirs) ?? this.regionOf(ours, this.baseFromOurs);
    return region && this.texts.base.slice(region.start, region.end);
  }

  private regionOf(range: Range, changes: Changes): Range | undefined {
    const regions = changes === undefined ? [] : regionsOf(changes, range, this.steps);
    return regions.length === 1 ? regions[0] : undefined;
  }
}
