import type { LineChange } from './line-changes';

/** A range that at least one side changed, in the lines of all three texts. Ends are exclusive. */
export interface MergedStretch {
  from: 'ours' | 'theirs' | 'both' | 'conflict';
  start: number;
  end: number;
  oursStart: number;
  oursEnd: number;
  theirsStart: number;
  theirsEnd: number;
}

export interface MergedLines {
  stretches: MergedStretch[];
  /** Absent if the sides conflict. */
  lines?: string[];
}

/** The changes of each side, in order. */
interface Changes {
  ours: readonly LineChange[];
  theirs: readonly LineChange[];
}

export interface Sides {
  ours: readonly string[];
  theirs: readonly string[];
}

/** Merges the changes of two texts as git does: those that touch each other are a conflict unless they are the same. */
export function mergeChanges(changes: Changes, sides: Sides): MergedLines {
  const stretches = joinTouching(pairChanges(changes, sides));
  for (const stretch of stretches) {
    // If both sides deleted all lines in different steps, git reports a conflict.
    const same = stretch.oursEnd > stretch.oursStart && isSameOnBothSides(stretch, sides);
    if (stretch.from === 'conflict' && same) stretch.from = 'both';
  }
  if (stretches.some(({ from }) => from === 'conflict')) return { stretches };
  return { stretches, lines: write(stretches, sides) };
}

/** Each change with the other side's lines at its place, without the changes that both sides made alike. */
function pairChanges({ ours, theirs }: Changes, sides: Sides): MergedStretch[] {
  const stretches: MergedStretch[] = [];
  const shift = { ours: 0, theirs: 0 };
  let [one, other] = [0, 0];
  const pass = (side: 'ours' | 'theirs', change: LineChange) => {
    shift[side] = change.sideEnd - change.end;
    if (side === 'ours') one += 1;
    else other += 1;
  };
  while (one < ours.length || other < theirs.length) {
    const [our, their] = [ours[one], theirs[other]];
    if (our && (!their || our.end < their.start)) {
      stretches.push(oursAlone(our, shift.theirs));
      pass('ours', our);
    } else if (their && (!our || their.end < our.start)) {
      stretches.push(theirsAlone(their, shift.ours));
      pass('theirs', their);
    } else if (our && their) {
      const alike = our.start === their.start && our.end === their.end;
      const stretch = together(our, their);
      if (!alike || !isSameOnBothSides(stretch, sides)) stretches.push(stretch);
      const [ourEnd, theirEnd] = [our.end, their.end];
      if (ourEnd >= theirEnd) pass('theirs', their);
      if (theirEnd >= ourEnd) pass('ours', our);
    }
  }
  return stretches;
}

const oursAlone = ({ start, end, sideStart, sideEnd }: LineChange, shift: number): MergedStretch => ({
  from: 'ours',
  start,
  end,
  oursStart: sideStart,
  oursEnd: sideEnd,
  theirsStart: start + shift,
  theirsEnd: end + shift,
});

const theirsAlone = ({ start, end, sideStart, sideEnd }: LineChange, shift: number): MergedStretch => ({
  from: 'theirs',
  start,
  end,
  oursStart: start + shift,
  oursEnd: end + shift,
  theirsStart: sideStart,
  theirsEnd: sideEnd,
});

/** Joins two changes that touch, from the start of the first to the end of the last. */
function together(our: LineChange, their: LineChange): MergedStretch {
  const [start, end] = [Math.min(our.start, their.start), Math.max(our.end, their.end)];
  return {
    from: 'conflict',
    start,
    end,
    oursStart: our.sideStart - (our.start - start),
    oursEnd: our.sideEnd + (end - our.end),
    theirsStart: their.sideStart - (their.start - start),
    theirsEnd: their.sideEnd + (end - their.end),
  };
}

function joinTouching(stretches: MergedStretch[]): MergedStretch[] {
  const joined: MergedStretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (last && (stretch.oursStart <= last.oursEnd || stretch.theirsStart <= last.theirsEnd)) {
      if (last.from !== stretch.from) last.from = 'conflict';
      const { end, oursEnd, theirsEnd } = stretch;
      Object.assign(last, { end, oursEnd, theirsEnd });
    } else {
      joined.push(stretch);
    }
  }
  return joined;
}

function isSameOnBothSides(stretch: MergedStretch, { ours, theirs }: Sides): boolean {
  const { oursStart, oursEnd, theirsStart, theirsEnd } = stretch;
  const length = oursEnd - oursStart;
  if (theirsEnd - theirsStart !== length) return false;
  for (let line = 0; line < length; line += 1) {
    if (ours[oursStart + line] !== theirs[theirsStart + line]) return false;
  }
  return true;
}

function write(stretches: readonly MergedStretch[], { ours, theirs }: Sides): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { from, oursStart, oursEnd, theirsStart, theirsEnd } of stretches) {
    for (; at < oursStart; at += 1) lines.push(ours[at] as string);
    const [side, start, end] =
      from === 'theirs' ? [theirs, theirsStart, theirsEnd] : [ours, oursStart, oursEnd];
    for (let line = start; line < end; line += 1) lines.push(side[line] as string);
    at = oursEnd;
  }
  for (; at < ours.length; at += 1) lines.push(ours[at] as string);
  return lines;
}
