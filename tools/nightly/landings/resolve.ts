import type { Content, Entry } from './files';
import type { Resolution } from './plan';
import type { Contradiction, Merge } from './workshop';

/** A file of a merge after its conflicts are decided; undefined if it is deleted. `id` names content that git has already. */
export type Resolved = Entry | { mode: string; id: string } | undefined;

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
 * @param content the merge's content
 * @returns decided files by path
 */
export function resolveAll(
  { contradictions }: Merge,
  content: Content,
  decision: Decision,
): Map<string, Resolved> {
  return new Map(
    contradictions.map((contradiction): [string, Resolved] => {
      const { path } = contradiction;
      const entry = content.get(path);
      const lines = isOfLines(contradiction, entry) && resolveLines(linesIn(entry.content), decision);
      if (!entry || !lines) return [path, resolveWhole(contradiction, decision)];
      return [path, { ...entry, content: lines.map((line) => `${line}\n`).join('') }];
    }),
  );
}

function isOfLines({ stages }: Contradiction, entry: Entry | undefined): entry is Entry {
  const areFiles = [stages['2'], stages['3']].every((stage) => stage?.startsWith('100'));
  return areFiles && entry !== undefined && `\n${entry.content}`.includes(`\n${START}`);
}

/** The lines of both sides cannot be put together, so one side has it all. */
function resolveWhole({ stages }: Contradiction, { resolution }: Decision): Resolved {
  const [mode, id] = stages[resolution === 'target first' ? '2' : '3']?.split(' ') ?? [];
  return mode === undefined || id === undefined ? undefined : { mode, id };
}

interface Conflict {
  ours: string[];
  theirs: string[];
}

/** @returns undefined if a conflict has no end */
function resolveLines(lines: readonly string[], decision: Decision): string[] | undefined {
  const resolved: string[] = [];
  let conflict: (Conflict & { side: keyof Conflict }) | undefined;
  for (const line of lines) {
    if (line.startsWith(START)) {
      conflict = { ours: [], theirs: [], side: 'ours' };
    } else if (conflict && line === MIDDLE) {
      conflict.side = 'theirs';
    } else if (conflict && line.startsWith(END)) {
      resolved.push(...decide(conflict, decision));
      conflict = undefined;
    } else if (conflict) {
      conflict[conflict.side].push(line);
    } else {
      resolved.push(line);
    }
  }
  return conflict === undefined ? resolved : undefined;
}

function decide({ ours, theirs }: Conflict, { resolution, number }: Decision): string[] {
  switch (resolution) {
    case 'the source':
      return theirs;
    case 'written':
      return [`  decided_${number}();`];
    case 'target first':
      return [...ours, ...theirs];
    case 'source first':
      return [...theirs, ...ours];
  }
}

const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);
