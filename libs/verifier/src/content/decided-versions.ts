import type { LineSteps } from '../line-steps';
import { mergeLines } from '../merge/merge-lines';
import { mergeTemplate } from '../merge/merge-template';
import {
  type DeletedLines,
  deletedLines,
  isPlainDecision,
  type Lines,
  plainDecisions,
} from '../merge/read-decisions';
import { countLines, findRun, isSameLines } from '../merge/text';

/** The lines that one version has in place of a hole. `isEarlier`: of an earlier commit, not of the side's tip. */
export interface Version {
  lines: readonly string[];
  isEarlier: boolean;
}

/** The versions of a place: each side's current one first, then its earlier ones. */
export interface Candidates {
  targets: Version[];
  sources: Version[];
  base: readonly string[] | undefined;
  /** The base's lines in the whole conflict: a line that it lacks there was added by the side that has it there. */
  conflictBase: readonly string[];
}

/** Whether the decision is a part of the source's lines that lacks some of the lines that the source added. */
export function isPartOf(
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

export const withoutSpace = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

export const isSame = (decision: readonly string[], { lines }: Version): boolean =>
  lines.length > 0 && isSameLines(decision, lines);

/** The side's current version first, then the earlier ones that differ from it and from the base. */
export function versions(
  current: readonly string[],
  earlier: readonly (readonly string[])[],
  base: readonly string[] | undefined,
): Version[] {
  const others = earlier.filter(
    (lines) => !isSameLines(lines, current) && !(base && isSameLines(lines, base)),
  );
  return [{ lines: current, isEarlier: false }, ...others.map((lines) => ({ lines, isEarlier: true }))];
}

export function containsBoth(
  decision: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): boolean {
  return ours.length > 0 && theirs.length > 0 && contains(decision, ours) && contains(decision, theirs);
}

const contains = (lines: readonly string[], run: readonly string[]): boolean =>
  findRun(lines, run) !== undefined;

/**
 * The lines of the base that a decision has, although the source deleted them and the target did not add them. Among
 * repeated lines, `base` may have a line from outside of the conflict, of which the target's lines are no copies.
 */
export function restoredLines(
  decision: readonly string[],
  {
    target,
    source,
    base,
    conflictBase,
  }: { target: Version; source: Version; base: readonly string[]; conflictBase: readonly string[] },
): string[] {
  const [before, ours, theirs, there] = [base, target.lines, source.lines, decision].map(countLines);
  const inConflict = countLines(conflictBase);
  const countIn = (counts: ReadonlyMap<string, number> | undefined, line: string) => counts?.get(line) ?? 0;
  return base.filter((line) => {
    const kept = countIn(theirs, line);
    const copied = Math.min(countIn(before, line), countIn(inConflict, line));
    const added = Math.max(0, countIn(ours, line) - copied);
    return kept < countIn(before, line) && countIn(there, line) > kept + added;
  });
}

/**
 * The lines by which the source changes a conflict and that a place in it ignores if it keeps the target's lines: those
 * that the source deleted and the target has there, and those that the source added there and the target lacks. Counted
 * in the whole conflict, since among repeated lines the base's part in one place of it may be taken for another.
 */
export function ignoredLines(
  place: { ours: readonly string[]; theirs: readonly string[] },
  conflict: { base: readonly string[]; ours: readonly string[]; theirs: readonly string[] },
): string[] {
  const { base } = conflict;
  const [target, source] = [conflict.ours, conflict.theirs].map((lines) => ({ lines, isEarlier: false }));
  if (target === undefined || source === undefined) return [];
  const [before, ours, theirs] = [base, target.lines, source.lines].map(countLines);
  const countIn = (counts: ReadonlyMap<string, number> | undefined, line: string) => counts?.get(line) ?? 0;
  const kept = new Set(restoredLines(target.lines, { target, source, base, conflictBase: base }));
  const isLost = (line: string) =>
    countIn(theirs, line) > Math.max(countIn(before, line), countIn(ours, line));
  return [...place.ours.filter((line) => kept.has(line)), ...place.theirs.filter(isLost)];
}

interface Combination {
  target: Version;
  source: Version;
  base: readonly string[] | undefined;
  conflictBase: readonly string[];
  /** Lines of the file. */
  deleted: DeletedLines;
  /** Whether a line that both versions have in a conflict may be there once. */
  areSharedOnce: boolean;
}

/**
 * Whether the decision is the merge of both versions. Each conflict may be decided as one version after the other, or
 * as the source's. Lines that the other version deleted, in this place or anywhere in the file, may be left out. If
 * both versions are the sides' current ones, the whole decision has to be explained: so a line that the base lacks in
 * the conflict was added, and is not left out because the base seems to have it in this place.
 */
export function isMadeOf(
  decision: readonly string[],
  { target, source, base, conflictBase, deleted, areSharedOnce }: Combination,
  steps: LineSteps,
): boolean {
  const sides = { ours: target.lines, theirs: source.lines, areSharedOnce };
  const merged = base && mergeLines(base, sides, steps);
  const template = merged && mergeTemplate(merged, sides, steps);
  if (base === undefined || template === undefined) {
    return isPlainDecision(decision, { ...sides, deleted: { byOurs: new Set(), byTheirs: new Set() } });
  }
  const isCurrent = !target.isEarlier && !source.isEarlier;
  const inConflict = new Set(conflictBase);
  const here = deletedLines(isCurrent ? base.filter((line) => inConflict.has(line)) : base, sides);
  const all = {
    byOurs: inEither(here.byOurs, deleted.byOurs),
    byTheirs: inEither(here.byTheirs, deleted.byTheirs),
  };
  // The place itself may be one conflict of the file, although the versions differ there in more than one.
  if (areSharedOnce && isPlainDecision(decision, { ...sides, deleted: all })) return true;
  return plainDecisions(template, decision, { sides: { ...sides, deleted: all }, steps }) !== undefined;
}

/** The lines of both, without a copy: those of the file are asked for each hole. */
const inEither = (one: Lines, other: Lines): Lines => ({ has: (line) => one.has(line) || other.has(line) });
