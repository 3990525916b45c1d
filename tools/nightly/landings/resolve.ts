import type { Content, Entry } from './files';
import type { Resolution } from './plan';
import type { Contradiction, Merge } from './workshop';

/** A file of a merge after its conflicts are decided. `free` marks the lines that belong to a decision. */
export interface Resolved {
  /** Undefined if it is deleted. `id` names content that git has already. */
  entry: Entry | { mode: string; id: string } | undefined;
  free: boolean[];
  /** Lines before which a conflict was decided with no lines. */
  seams: number[];
  /** The lines of each conflict's decision, by the conflict. */
  decisions?: Decisions;
}

export type Decisions = ReadonlyMap<string, string[]>;

const START = '<<<<<<< ';
const MIDDLE = '=======';
const END = '>>>>>>> ';

interface Decision {
  resolution: Resolution;
  /** The number that the newly written lines of the decision carry. */
  number: number;
  /** Decisions of the same conflicts in another merge, which are repeated. */
  known?: Decisions | undefined;
}

/**
 * Decides all conflicts of git's merge in one way.
 * @param files the merge's content, and contents of the base and the source by id
 * @returns decided files by path; undefined if a conflict has no such rule, such as that of two renames
 */
export function resolveAll(
  { contradictions }: Merge,
  { content, blobs }: { content: Content; blobs: ReadonlyMap<string, string> },
  decision: Decision,
): Map<string, Resolved> | undefined {
  const resolved = new Map<string, Resolved>();
  const textAt = (stage: '1' | '2' | '3', { stages }: Contradiction) => blobs.get(idOf(stages[stage])) ?? '';
  for (const contradiction of contradictions) {
    const entry = content.get(contradiction.path);
    const decided = isOfLines(contradiction, entry)
      ? resolveLines(
          entry,
          {
            base: textAt('1', contradiction),
            target: textAt('2', contradiction),
            source: textAt('3', contradiction),
          },
          decision,
        )
      : resolveWhole(contradiction);
    if (decided === undefined) return undefined;
    resolved.set(contradiction.path, decided);
  }
  return resolved;
}

/** @param stage mode and id */
export const idOf = (stage: string | undefined): string => stage?.split(' ')[1] ?? '';

function isOfLines({ stages }: Contradiction, entry: Entry | undefined): entry is Entry {
  const modes = [stages['2'], stages['3']].map((stage) => stage?.split(' ')[0]);
  const areFiles = modes.every((mode) => mode === '100644' || mode === '100755') && modes[0] === modes[1];
  return areFiles && entry !== undefined && `\n${entry.content}`.includes(`\n${START}`);
}

/** Decides for the source. A path that it deleted is removed, unless git left a file that neither side has there. */
function resolveWhole({ path, stages }: Contradiction): Resolved | undefined {
  const isSimple = stages['1'] !== undefined || (stages['2'] !== undefined && stages['3'] !== undefined);
  if (!isSimple || path.includes('~')) return undefined;
  if (stages['2'] && stages['3'] && stages['2'].split(' ')[0] !== stages['3'].split(' ')[0]) return undefined;
  const [mode = '', id = ''] = stages['3']?.split(' ') ?? [];
  return { entry: stages['3'] === undefined ? undefined : { mode, id }, free: [], seams: [] };
}

/** A file before the branches parted, and what each side made of it. */
interface Before {
  base: string;
  target: string;
  source: string;
}

interface Conflict {
  ours: string[];
  theirs: string[];
}

function resolveLines(entry: Entry, before: Before, decision: Decision): Resolved | undefined {
  const parts = partsOf(linesIn(entry.content));
  if (parts === undefined) return undefined;
  const isKept = keptBeside(parts, before);
  const lines: string[] = [];
  const free: boolean[] = [];
  const seams: number[] = [];
  const decisions = new Map<string, string[]>();
  for (const part of parts) {
    const isConflict = typeof part !== 'string';
    const conflict = JSON.stringify(part);
    const decided = isConflict
      ? (decision.known?.get(conflict) ?? decide(part, { before, isKept, decision }))
      : [part];
    if (isConflict) decisions.set(conflict, decided);
    if (decided.length === 0) seams.push(lines.length);
    lines.push(...decided);
    free.push(...decided.map(() => isConflict));
  }
  return { entry: { ...entry, content: lines.map((line) => `${line}\n`).join('') }, free, seams, decisions };
}

/** The lines and the conflicts of a merged text; undefined if a conflict has no end. */
function partsOf(lines: readonly string[]): (string | Conflict)[] | undefined {
  const parts: (string | Conflict)[] = [];
  let conflict: (Conflict & { side: keyof Conflict }) | undefined;
  for (const line of lines) {
    if (line.startsWith(START)) {
      conflict = { ours: [], theirs: [], side: 'ours' };
    } else if (conflict && line === MIDDLE) {
      conflict.side = 'theirs';
    } else if (conflict && line.startsWith(END)) {
      parts.push(conflict);
      conflict = undefined;
    } else if (conflict) {
      conflict[conflict.side].push(line);
    } else {
      parts.push(line);
    }
  }
  return conflict === undefined ? parts : undefined;
}

/**
 * Returns whether the next line of the target in a conflict stays beside the source's. A line that the source deleted or
 * moved does not: the text has it as often as the source has it, and once more for each time that the target added it.
 */
function keptBeside(parts: readonly (string | Conflict)[], { base, target, source }: Before) {
  const [before, ours, theirs] = [base, target, source].map((text) => countsOf(linesIn(text)));
  const there = countsOf(parts.flatMap((part) => (typeof part === 'string' ? part : part.theirs)));
  const countIn = (counts: Map<string, number> | undefined, line: string) => counts?.get(line) ?? 0;
  return (line: string): boolean => {
    const added = Math.max(0, countIn(ours, line) - countIn(before, line));
    if (countIn(there, line) >= countIn(theirs, line) + added) return false;
    there.set(line, countIn(there, line) + 1);
    return true;
  };
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/**
 * Keeping the target's lines alone would leave the source out. So would putting both sides together, if each side
 * deleted the other half: the result is the base again. Both cases are decided for the source.
 */
function decide(
  { ours, theirs }: Conflict,
  {
    before,
    isKept,
    decision: { resolution, number },
  }: { before: Before; isKept: (line: string) => boolean; decision: Decision },
): string[] {
  const kept = ours.filter(isKept);
  const together = (lines: string[]) =>
    theirs.length === 0 || `\n${before.base}`.includes(`\n${lines.join('\n')}\n`) ? theirs : lines;
  switch (resolution) {
    case 'the source':
      return theirs;
    case 'written':
      return [`  decided_${number}();`];
    case 'target first':
      return together([...kept, ...theirs]);
    case 'source first':
      return together([...theirs, ...kept]);
  }
}

const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);
