import {
  type FileEntry,
  type Files,
  isRegular,
  isSameEntry,
  type WitnessRepository,
} from './witness-repository';
import type { Contradiction, Merge } from './workshop';

/** How the places of a merge's conflicts were decided. `either`: they can be read in both ways. */
export type Reading = 'outside' | 'refused' | 'by hand' | 'either';

/** A side of the merge, as trees. */
interface Sides {
  /** The commit onto which the source is merged. */
  onto: Files;
  merged: Files;
  landed: Files;
}

/**
 * Reads the landed tree at the places where a merge has conflicts. All else has to be as merged: each other path, and in a
 * file with markers each line outside of them, in order. A place that holds the target's side alone, nothing, or markers is
 * refused; anything else there is by hand.
 */
export async function readPlaces(
  repository: WitnessRepository,
  merge: Merge,
  trees: { onto: string; landed: string },
): Promise<Reading> {
  const [onto, merged, landed] = await Promise.all(
    [trees.onto, merge.tree, trees.landed].map((tree) => repository.filesOf(tree)),
  );
  const sides = { onto, merged, landed } as Sides;
  const places = new Set(merge.contradictions.map(({ path }) => path));
  const paths = new Set([...sides.merged.keys(), ...sides.landed.keys()]);
  const isAsMerged = (path: string) => isSameEntry(sides.merged.get(path), sides.landed.get(path));
  if ([...paths].some((path) => !places.has(path) && !isAsMerged(path))) return 'outside';
  const readings = await Promise.all(
    conflictsOf(merge).map(async (conflict) => {
      const [only, ...others] = conflict;
      const lines = others.length === 0 && only !== undefined && (await readLines(repository, only, sides));
      return lines || readWhole(repository, conflict, sides);
    }),
  );
  const found = (['outside', 'refused', 'either'] as const).find((each) => readings.includes(each));
  return found ?? 'by hand';
}

/** The paths in conflict, those of one conflict together. */
function conflictsOf({ contradictions, conflicts }: Merge): Contradiction[][] {
  let groups = contradictions.map(({ path }) => new Set([path]));
  for (const paths of conflicts) {
    const joined = groups.filter((group) => paths.some((path) => group.has(path)));
    const union = new Set(joined.flatMap((group) => [...group]));
    groups = [...groups.filter((group) => !joined.includes(group)), ...(union.size > 0 ? [union] : [])];
  }
  return groups.map((group) => contradictions.filter(({ path }) => group.has(path)));
}

const entryOf = (stage: string | undefined): FileEntry | undefined => {
  const [mode, id] = stage?.split(' ') ?? [];
  return mode === undefined || id === undefined ? undefined : { mode, id };
};

const SUBMODULE = '160000';

async function readWhole(
  repository: WitnessRepository,
  conflict: readonly Contradiction[],
  { onto, merged, landed }: Sides,
): Promise<Reading> {
  const places = conflict.map(({ path, stages }) => {
    const [ours, theirs] = [entryOf(stages['2']), entryOf(stages['3'])];
    // git moves a file aside that the other side has as a folder.
    return {
      ours,
      theirs,
      before: onto.get(path.replace(/~[0-9a-f]{40}(_\d+)?$/, '')),
      now: landed.get(path),
    };
  });
  // Which of the two commits of a submodule is newer cannot be known.
  if (places.some(({ ours, theirs }) => ours?.mode === SUBMODULE && theirs?.mode === SUBMODULE)) {
    return 'by hand';
  }
  if (places.every(({ ours, before, now }) => isSameEntry(now, ours) || isSameEntry(now, before))) {
    // git merges the lines of a file that both sides renamed: the target's name then has the source's lines as well.
    const isWithLines = places.some(({ ours, before, now }) => ours && before && !isSameEntry(now, before));
    return isWithLines ? 'either' : 'refused';
  }
  // The mode of a file without lines is merged by itself.
  const isOtherMode = conflict.some(({ path }, index) => {
    const { ours, theirs, now } = places[index] as (typeof places)[number];
    const isFile = [ours, theirs, now].every((entry) => entry !== undefined && isRegular(entry));
    return isFile && !isSameEntry(now, theirs) && now?.mode !== merged.get(path)?.mode;
  });
  if (isOtherMode) return 'outside';
  const texts = await Promise.all(places.map(({ now }) => repository.linesOf(now)));
  if (texts.some((lines) => lines?.some((line) => isMarker(line)))) return 'refused';
  // Whether an absent file is a decision or an empty place, the principle does not say.
  const isGone = places.every(({ now }, index) => now === undefined || texts[index]?.length === 0);
  return isGone && places.some(({ theirs }) => theirs !== undefined) ? 'either' : 'by hand';
}

/** @returns undefined if git left no markers in the file */
async function readLines(
  repository: WitnessRepository,
  { path, stages }: Contradiction,
  { merged, landed }: Sides,
): Promise<Reading | undefined> {
  const [ours, theirs, marked] = [entryOf(stages['2']), entryOf(stages['3']), merged.get(path)];
  if (!ours || !theirs || !marked || !isRegular(ours) || !isRegular(theirs)) return undefined;
  const parts = partsOf((await repository.linesOf(marked)) ?? []);
  if (parts === undefined || parts.places.length === 0) return undefined;
  const entry = landed.get(path);
  const lines = await repository.linesOf(entry);
  // If both sides added the file, git leaves the choice of the mode to a person.
  const modes = stages['1'] === undefined ? [ours.mode, theirs.mode] : [marked.mode];
  if (entry === undefined || lines === undefined || !modes.includes(entry.mode)) return 'outside';
  return readParts(parts, lines);
}

interface Place {
  ours: string[];
  theirs: string[];
}

/** A file with markers. Before each place, and after the last one, stand lines that are as merged. */
export interface Parts {
  fixed: string[][];
  places: Place[];
}

/** @returns undefined if a marker has no other end */
export function partsOf(lines: readonly string[]): Parts | undefined {
  const parts: Parts = { fixed: [[]], places: [] };
  let [place, side]: [Place | undefined, keyof Place] = [undefined, 'ours'];
  for (const line of lines) {
    if (place === undefined && line.startsWith('<<<<<<< ')) {
      [place, side] = [{ ours: [], theirs: [] }, 'ours'];
    } else if (place === undefined) {
      parts.fixed.at(-1)?.push(line);
    } else if (side === 'ours' && line === '=======\n') {
      side = 'theirs';
    } else if (line.startsWith('>>>>>>> ')) {
      parts.places.push(place);
      parts.fixed.push([]);
      place = undefined;
    } else {
      place[side].push(line);
    }
  }
  return place === undefined ? parts : undefined;
}

/** In the order in which one of them decides about a whole file. */
const FREE = ['by hand', 'either', 'refused'] as const;

/**
 * Reads a file in each way in which its fixed lines stand in it in order. If lines repeat, there may be several ways, and
 * one of them may be a refused one.
 */
export function readParts({ fixed, places }: Parts, lines: readonly string[]): Reading {
  const standsAt = (part: readonly string[], at: number) =>
    part.every((line, index) => lines[at + index] === line);
  const [head = [], ...rest] = fixed;
  // By the line behind each fixed part: the worst of the places before, for each way to get there.
  let reached = new Map(standsAt(head, 0) ? [[head.length, new Set([0])]] : []);
  for (const [index, part] of rest.entries()) {
    const next = new Map<number, Set<number>>();
    const isLast = index === rest.length - 1;
    for (const [from, worst] of reached) {
      for (
        let to = isLast ? Math.max(from, lines.length - part.length) : from;
        to + part.length <= lines.length;
        to += 1
      ) {
        if (!standsAt(part, to)) continue;
        const own = FREE.indexOf(readPlace(places[index] as Place, lines.slice(from, to)));
        const end = next.get(to + part.length) ?? new Set();
        next.set(to + part.length, end);
        for (const each of worst) end.add(Math.max(each, own));
      }
    }
    reached = next;
  }
  const [first, ...others] = reached.get(lines.length) ?? [];
  if (first === undefined) return 'outside';
  return others.length > 0 ? 'either' : (FREE[first] as Reading);
}

function readPlace({ ours, theirs }: Place, lines: readonly string[]): (typeof FREE)[number] {
  const isOurs = isSameText(lines, ours);
  // The source's side alone is by hand, and nothing is refused. The source may have nothing there, and the markers do not show
  // whether it deleted lines.
  if (lines.length === 0 || isOurs) return theirs.length === 0 && ours.length > 0 ? 'either' : 'refused';
  return lines.some((line) => isMarker(line) && !ours.includes(line) && !theirs.includes(line))
    ? 'refused'
    : 'by hand';
}

/** git ends the last line of a place, even if the side's file has no end there. */
const isSameText = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.join('').replace(/\n$/, '') === other.join('').replace(/\n$/, '');

const isMarker = (line: string): boolean => /^(<{7} |>{7} |\|{7} |={7}$)/.test(line);
