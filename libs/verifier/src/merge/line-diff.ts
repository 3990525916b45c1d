import { type Box, type EditLimits, MiddleSnakeSearch, type Snake } from './middle-snake';

/** A contiguous change: `deleted` lines of the base from `start` on are replaced by `inserted`. */
export interface Hunk<Line = string> {
  /** Position in the base, from 0. */
  start: number;
  deleted: number;
  inserted: Line[];
}

/**
 * The hunks of a shortest edit script, with pure inserts and deletes moved up as far as possible: if a repeated line
 * allows several places for the same edit, both diffs of a comparison choose the same. Hunks that then touch are
 * joined: a line that became equal to its neighbour may appear as a delete here and an insert after the neighbour.
 *
 * @returns undefined if the two differ by more lines than the limit
 * @throws RemoteFailure remote_too_large
 */
export function diffLines<Line>(
  base: readonly Line[],
  changed: readonly Line[],
  limits: EditLimits,
): Hunk<Line>[] | undefined {
  const alignment = new Alignment(base, changed);
  const boxes: Box[] = [{ left: 0, right: base.length, top: 0, bottom: changed.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    alignment.trim(box);
    if (box.left === box.right || box.top === box.bottom) continue;
    const snake = new MiddleSnakeSearch(base, changed, box, limits).find();
    if (snake === undefined) return undefined;
    alignment.match(snake);
    boxes.push(
      { ...box, right: snake.from.x, bottom: snake.from.y },
      { ...box, left: snake.to.x, top: snake.to.y },
    );
  }
  const hunks = alignment.hunks();
  const edits = hunks.reduce((sum, { deleted, inserted }) => sum + deleted + inserted.length, 0);
  return edits > limits.editsMax ? undefined : joined(slideUp(hunks, base));
}

/** Pairs the equal lines of both sides. */
class Alignment<Line> {
  private readonly baseMatched: Uint8Array;
  private readonly changedMatched: Uint8Array;

  constructor(
    private readonly base: readonly Line[],
    private readonly changed: readonly Line[],
  ) {
    this.baseMatched = new Uint8Array(base.length);
    this.changedMatched = new Uint8Array(changed.length);
  }

  /** Pairs equal lines at both ends of the box and removes them from it. */
  trim(box: Box): void {
    while (box.left < box.right && box.top < box.bottom && this.base[box.left] === this.changed[box.top]) {
      this.pair(box.left, box.top);
      box.left += 1;
      box.top += 1;
    }
    while (
      box.left < box.right &&
      box.top < box.bottom &&
      this.base[box.right - 1] === this.changed[box.bottom - 1]
    ) {
      box.right -= 1;
      box.bottom -= 1;
      this.pair(box.right, box.bottom);
    }
  }

  match({ from, to, matchesFirst }: Snake): void {
    const length = Math.min(to.x - from.x, to.y - from.y);
    const start = matchesFirst ? from : { x: to.x - length, y: to.y - length };
    for (let step = 0; step < length; step += 1) this.pair(start.x + step, start.y + step);
  }

  hunks(): Hunk<Line>[] {
    const hunks: Hunk<Line>[] = [];
    let x = 0;
    let y = 0;
    while (x < this.base.length || y < this.changed.length) {
      const [start, first] = [x, y];
      while (this.baseMatched[x] === 0) x += 1;
      while (this.changedMatched[y] === 0) y += 1;
      if (x > start || y > first) {
        hunks.push({ start, deleted: x - start, inserted: this.changed.slice(first, y) });
      }
      x += 1;
      y += 1;
    }
    return hunks;
  }

  private pair(x: number, y: number): void {
    this.baseMatched[x] = 1;
    this.changedMatched[y] = 1;
  }
}

function slideUp<Line>(hunks: Hunk<Line>[], base: readonly Line[]): Hunk<Line>[] {
  let free = 0;
  for (const hunk of hunks) {
    const steps = slideSteps(hunk, base, free);
    const turn = hunk.inserted.length === 0 ? 0 : steps % hunk.inserted.length;
    if (turn > 0) hunk.inserted = [...hunk.inserted.slice(-turn), ...hunk.inserted.slice(0, -turn)];
    hunk.start -= steps;
    free = hunk.start + hunk.deleted;
  }
  return hunks;
}

function joined<Line>(hunks: readonly Hunk<Line>[]): Hunk<Line>[] {
  const apart: Hunk<Line>[] = [];
  for (const hunk of hunks) {
    const last = apart.at(-1);
    if (last === undefined || last.start + last.deleted < hunk.start) {
      apart.push(hunk);
    } else {
      last.deleted += hunk.deleted;
      last.inserted = [...last.inserted, ...hunk.inserted];
    }
  }
  return apart;
}

/** How many lines a pure insert or delete can move up: it moves while the line above it equals its last line. */
function slideSteps<Line>(
  { start, deleted, inserted }: Hunk<Line>,
  base: readonly Line[],
  free: number,
): number {
  if (deleted > 0 && inserted.length > 0) return 0;
  let steps = 0;
  for (; start - steps > free; steps += 1) {
    // At each step the line above becomes the hunk's first line in place of its equal last one: the lines rotate.
    const last =
      deleted > 0
        ? base[start + deleted - 1 - steps]
        : inserted[inserted.length - 1 - (steps % inserted.length)];
    if (base[start - 1 - steps] !== last) break;
  }
  return steps;
}
