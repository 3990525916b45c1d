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
}

const START = '<<<<<<< ';
const MIDDLE = '=======';
const END = '>>>>>>> ';

interface Decision {
  resolution: Resolution;
  /** The number that the newly written lines of the decision carry. */
  number: number;
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
  const textAt = (stage: '1' | '3', { stages }: Contradiction) => blobs.get(idOf(stages[stage])) ?? '';
  for (const contradiction of contradictions) {
    const entry = content.get(contradiction.path);
    const decided = isOfLines(contradiction, entry)
      ? resolveLines(
          entry,
          { base: textAt('1', contradiction), source: textAt('3', contradiction) },
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

/** What a file was before, and what the source made of it. */
interface Before {
  base: string;
  source: string;
}

function resolveLines(entry: Entry, before: Before, decision: Decision): Resolved | undefined {
  const lines: string[] = [];
  const free: boolean[] = [];
  const seams: number[] = [];
  let block: { ours: string[]; theirs: string[]; side: 'ours' | 'theirs' } | undefined;
  for (const line of entry.content.split('\n').slice(0, -1)) {
    if (line.startsWith(START)) {
      block = { ours: [], theirs: [], side: 'ours' };
    } else if (block && line === MIDDLE) {
      block.side = 'theirs';
    } else if (block && line.startsWith(END)) {
      const decided = decide(block, before, decision);
      if (decided.length === 0) seams.push(lines.length);
      lines.push(...decided);
      free.push(...decided.map(() => true));
      block = undefined;
    } else if (block) {
      block[block.side].push(line);
    } else {
      lines.push(line);
      free.push(false);
    }
  }
  if (block !== undefined) return undefined;
  return { entry: { ...entry, content: lines.map((line) => `${line}\n`).join('') }, free, seams };
}

/**
 * Keeping the target's lines alone would leave the source out. So would putting both sides together, if each side
 * deleted the other half: the result is the base again. Both cases are decided for the source.
 */
function decide(
  { ours, theirs }: { ours: string[]; theirs: string[] },
  before: Before,
  { resolution, number }: Decision,
): string[] {
  const kept = ours.filter((line) => !isDeleted(line, before));
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

/** Whether the source deleted the line. False if the base has several such lines: the source may have kept this one. */
function isDeleted(line: string, { base, source }: Before): boolean {
  const isOnce = linesIn(base).filter((each) => each === line).length === 1;
  return isOnce && !linesIn(source).includes(line);
}

const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);
