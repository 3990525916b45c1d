import type { LineSteps } from '../line-steps';

export interface EditLimits {
  /** Lines inserted and deleted at most. */
  editsMax: number;
  steps: LineSteps;
}

/** A rectangle of the edit graph: the lines of both sides that still have to be aligned. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Part of a shortest path: matching lines, with one deleted or inserted line before or after them. */
export interface Snake {
  from: { x: number; y: number };
  to: { x: number; y: number };
  matchesFirst: boolean;
}

/**
 * The middle of a shortest path through a box of the edit graph (Myers 1986, section 4b): it is searched from both
 * corners at once, and found where the two ways meet.
 */
export class MiddleSnakeSearch {
  private readonly steps: LineSteps;
  private readonly delta: number;
  private readonly rounds: number;
  /** How far each diagonal was followed: x on the way from the top left, y on the way from the bottom right. */
  private readonly forwards: Int32Array;
  private readonly backwards: Int32Array;
  /** Equal lines passed since steps were spent. */
  private walked = 0;

  constructor(
    private readonly base: readonly unknown[],
    private readonly changed: readonly unknown[],
    private readonly box: Box,
    { editsMax, steps }: EditLimits,
  ) {
    this.steps = steps;
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    this.delta = width - height;
    this.rounds = Math.ceil(Math.min(width + height, editsMax) / 2);
    this.forwards = new Int32Array(2 * this.rounds + 3);
    this.backwards = new Int32Array(2 * this.rounds + 3);
    this.forwards[this.at(1)] = box.left;
    this.backwards[this.at(1)] = box.bottom;
  }

  /** @returns undefined when the path is longer than `editsMax` */
  find(): Snake | undefined {
    for (let edits = 0; edits <= this.rounds; edits += 1) {
      const snake = this.stepForwards(edits) ?? this.stepBackwards(edits);
      this.steps.spend(2 * edits + 2 + this.walked);
      this.walked = 0;
      if (snake !== undefined) return snake;
    }
    return undefined;
  }

  private stepForwards(edits: number): Snake | undefined {
    const { left, right, top, bottom } = this.box;
    for (let k = edits; k >= -edits; k -= 2) {
      const [before, after] = [this.forward(k - 1), this.forward(k + 1)];
      const down = k === -edits || (k !== edits && before < after);
      const fromX = down ? after : before;
      let x = down ? fromX : fromX + 1;
      let y = top + (x - left) - k;
      const fromY = edits === 0 || !down ? y : y - 1;
      while (x < right && y < bottom && this.base[x] === this.changed[y]) {
        x += 1;
        y += 1;
      }
      this.walked += x - fromX;
      this.forwards[this.at(k)] = x;
      const c = k - this.delta;
      if (this.delta % 2 !== 0 && Math.abs(c) < edits && y >= this.backward(c)) {
        return { from: { x: fromX, y: fromY }, to: { x, y }, matchesFirst: false };
      }
    }
    return undefined;
  }

  private stepBackwards(edits: number): Snake | undefined {
    const { left, top } = this.box;
    for (let c = edits; c >= -edits; c -= 2) {
      const [before, after] = [this.backward(c - 1), this.backward(c + 1)];
      const across = c === -edits || (c !== edits && before > after);
      const fromY = across ? after : before;
      let y = across ? fromY : fromY - 1;
      const k = c + this.delta;
      let x = left + (y - top) + k;
      const fromX = edits === 0 || !across ? x : x + 1;
      while (x > left && y > top && this.base[x - 1] === this.changed[y - 1]) {
        x -= 1;
        y -= 1;
      }
      this.walked += fromY - y;
      this.backwards[this.at(c)] = y;
      if (this.delta % 2 === 0 && Math.abs(k) <= edits && x <= this.forward(k)) {
        return { from: { x, y }, to: { x: fromX, y: fromY }, matchesFirst: true };
      }
    }
    return undefined;
  }

  private at(diagonal: number): number {
    return diagonal + this.rounds + 1;
  }

  private forward(diagonal: number): number {
    return this.forwards[this.at(diagonal)] as number;
  }

  private backward(diagonal: number): number {
    return this.backwards[this.at(diagonal)] as number;
  }
}
