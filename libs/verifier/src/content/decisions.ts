import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';
import { mergeLines } from '../merge/merge-lines';
import { type Hole, type MergeTemplate, mergeTemplate, type Range } from '../merge/merge-template';
import { type DeletedLines, deletedLines, isPlainDecision, plainDecisions } from '../merge/read-decisions';
import { regionsOf } from '../merge/region';
import { countLines, findRun, isSameLines } from '../merge/text';
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

/** The lines that one version has in place of a hole. `isEarlier`: of an earlier commit, not of the side's tip. */
interface Version {
  lines: readonly string[];
  isEarlier: boolean;
}

type Place = Omit<Deviation, 'path'>;
type StaleReading = Pick<Deviation, 'reason' | 'isUnclear'>;

const MISSING: StaleReading = { reason: 'source_change_missing' };
type Changes = LineChange[] | undefined;

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
    if (isSameLines(decision, ours)) {
      // The source changed nothing here, so keeping the target's lines loses nothing.
      return base && isSameLines(base, theirs) ? undefined : MISSING;
    }
    if (base && isSameLines(decision, base)) return MISSING;
    const isTargetIdle = ours.length === 0 || (base !== undefined && isSameLines(ours, base));
    if (isTargetIdle && isPartOf(decision, { theirs, base: base ?? this.texts.base })) return MISSING;
    const earlier = this.earlierChanges();
    const targets = versions(ours, this.earlierIn(earlier.ours, this.texts.earlierTarget, hole.ours), base);
    const sources = versions(
      theirs,
      this.earlierIn(earlier.theirs, this.texts.earlierSource, hole.theirs),
      base,
    );
    if (sources.some((each) => each.isEarlier && this.isMergeOf(decision, ours, { source: each, base }))) {
      return MISSING;
    }
    return this.combinedFrom(decision, { targets, sources, base });
  }

  /** If the decision combines two versions of which one is an earlier one: the reason that names its side. */
  private combinedFrom(
    decision: readonly string[],
    {
      targets,
      sources,
      base,
    }: { targets: Version[]; sources: Version[]; base: readonly string[] | undefined },
  ): StaleReading | undefined {
    const made = (target: Version, source: Version) =>
      isMadeOf(decision, { target, source, base, deleted: this.deleted }, this.steps);
    const [target, source] = [targets[0] as Version, sources[0] as Version];
    const areTogether = containsBoth(decision, target.lines, source.lines) || made(target, source);
    const isKept = base === undefined || !restoresDeleted(decision, { target, source, base });
    if (areTogether && isKept) return undefined;
    if (sources.some((each) => each.isEarlier && (isSame(decision, each) || made(target, each)))) {
      return { ...MISSING, ...(areTogether && { isUnclear: true }) };
    }
    if (areTogether) return undefined;
    if (targets.some((each) => each.isEarlier && (isSame(decision, each) || made(each, source)))) {
      return { reason: 'target_change_undone' };
    }
    return undefined;
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

/** Whether the decision is a part of the source's lines that lacks some of the lines that the source added. */
function isPartOf(
  decision: readonly string[],
  { theirs, base }: { theirs: readonly string[]; base: readonly string[] },
): boolean {
  let next = 0;
  const absent = theirs.filter((line) => {
    if (line !== decision[next]) return true;
    next += 1;
    return false;
  });
  const known = new Set(base);
  return next === decision.length && absent.some((line) => !known.has(line));
}

const isSame = (decision: readonly string[], { lines }: Version): boolean =>
  lines.length > 0 && isSameLines(decision, lines);

/** The side's current version first, then the earlier ones that differ from it and from the base. */
function versions(
  current: readonly string[],
  earlier: readonly (readonly string[])[],
  base: readonly string[] | undefined,
): Version[] {
  const others = earlier.filter(
    (lines) => !isSameLines(lines, current) && !(base && isSameLines(lines, base)),
  );
  return [{ lines: current, isEarlier: false }, ...others.map((lines) => ({ lines, isEarlier: true }))];
}

function containsBoth(
  decision: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): boolean {
  return ours.length > 0 && theirs.length > 0 && contains(decision, ours) && contains(decision, theirs);
}

const contains = (lines: readonly string[], run: readonly string[]): boolean =>
  findRun(lines, run) !== undefined;

/** Whether the decision has lines of the base that the source deleted and the target did not add. */
function restoresDeleted(
  decision: readonly string[],
  { target, source, base }: { target: Version; source: Version; base: readonly string[] },
): boolean {
  const [before, ours, theirs, there] = [base, target.lines, source.lines, decision].map(countLines);
  const countIn = (counts: ReadonlyMap<string, number> | undefined, line: string) => counts?.get(line) ?? 0;
  return base.some((line) => {
    const kept = countIn(theirs, line);
    const added = Math.max(0, countIn(ours, line) - countIn(before, line));
    return kept < countIn(before, line) && countIn(there, line) > kept + added;
  });
}

interface Combination {
  target: Version;
  source: Version;
  base: readonly string[] | undefined;
  /** Lines of the file. */
  deleted: DeletedLines;
}

/**
 * Whether the decision is the merge of both versions, with each conflict as one after the other or as the source's;
 * perhaps without lines that the other one deleted, in this place or everywhere in the file.
 */
function isMadeOf(
  decision: readonly string[],
  { target, source, base, deleted }: Combination,
  steps: LineSteps,
): boolean {
  const sides = { ours: target.lines, theirs: source.lines };
  const merged = base && mergeLines(base, sides, steps);
  const template = merged && mergeTemplate(merged, sides, steps);
  if (base === undefined || template === undefined) {
    return isPlainDecision(decision, { ...sides, deleted: { byOurs: new Set(), byTheirs: new Set() } });
  }
  const here = deletedLines(base, sides);
  const all = {
    byOurs: new Set([...here.byOurs, ...deleted.byOurs]),
    byTheirs: new Set([...here.byTheirs, ...deleted.byTheirs]),
  };
  return plainDecisions(template, decision, { sides: { ...sides, deleted: all }, steps }) !== undefined;
}
