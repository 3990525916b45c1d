import type { Content, Entry } from './files';
import type { Resolution } from './plan';
import type { Contradiction, Merge } from './workshop';

/** A file of a merge as somebody decided; `free` tells of each line whether it is a part of that decision. */
export interface Resolved {
  /** Undefined where it is deleted. `id` stands for content that git has already. */
  entry: Entry | { mode: string; id: string } | undefined;
  free: boolean[];
}

const START = '<<<<<<< ';
const MIDDLE = '=======';
const END = '>>>>>>> ';

/**
 * What git's merge left open, decided in one way.
 * @param number of whoever decides: what is written anew carries it
 * @returns by path; undefined for contradictions that no such rule decides, as that of two renames
 */
export function resolveAll(
  { contradictions }: Merge,
  content: Content,
  { resolution, number }: { resolution: Resolution; number: number },
): Map<string, Resolved> | undefined {
  const resolved = new Map<string, Resolved>();
  for (const contradiction of contradictions) {
    const entry = content.get(contradiction.path);
    const decided = isOfLines(contradiction, entry)
      ? resolveLines(entry, { resolution, number })
      : resolveWhole(contradiction);
    if (decided === undefined) return undefined;
    resolved.set(contradiction.path, decided);
  }
  return resolved;
}

function isOfLines({ stages }: Contradiction, entry: Entry | undefined): entry is Entry {
  const modes = [stages['2'], stages['3']].map((stage) => stage?.split(' ')[0]);
  const areFiles = modes.every((mode) => mode === '100644' || mode === '100755') && modes[0] === modes[1];
  return (
    areFiles &&
    entry !== undefined &&
    entry.content.includes(`\n${START}`) !== entry.content.startsWith(START)
  );
}

/** For the source; what it deleted is gone, unless git left a file that neither side has there. */
function resolveWhole({ path, stages }: Contradiction): Resolved | undefined {
  const isSimple = stages['1'] !== undefined || (stages['2'] !== undefined && stages['3'] !== undefined);
  if (!isSimple || path.includes('~')) return undefined;
  if (stages['2'] && stages['3'] && stages['2'].split(' ')[0] !== stages['3'].split(' ')[0]) return undefined;
  const [mode = '', id = ''] = stages['3']?.split(' ') ?? [];
  return { entry: stages['3'] === undefined ? undefined : { mode, id }, free: [] };
}

function resolveLines(
  entry: Entry,
  { resolution, number }: { resolution: Resolution; number: number },
): Resolved | undefined {
  const lines: string[] = [];
  const free: boolean[] = [];
  let block: { ours: string[]; theirs: string[]; side: 'ours' | 'theirs' } | undefined;
  for (const line of entry.content.split('\n').slice(0, -1)) {
    if (line.startsWith(START)) block = { ours: [], theirs: [], side: 'ours' };
    else if (block && line === MIDDLE) block.side = 'theirs';
    else if (block && line.startsWith(END)) {
      const decided = decide(block, { resolution, number });
      lines.push(...decided);
      free.push(...decided.map(() => true));
      block = undefined;
    } else if (block) block[block.side].push(line);
    else {
      lines.push(line);
      free.push(false);
    }
  }
  if (block !== undefined) return undefined;
  return { entry: { ...entry, content: lines.map((line) => `${line}\n`).join('') }, free };
}

/** To keep the target's lines alone would be to leave the source out: then it is decided for the source. */
function decide(
  { ours, theirs }: { ours: string[]; theirs: string[] },
  { resolution, number }: { resolution: Resolution; number: number },
): string[] {
  switch (resolution) {
    case 'the source':
      return theirs;
    case 'written':
      return [`  decided_${number}();`];
    case 'target first':
      return theirs.length === 0 ? theirs : [...ours, ...theirs];
    case 'source first':
      return theirs.length === 0 ? theirs : [...theirs, ...ours];
  }
}
