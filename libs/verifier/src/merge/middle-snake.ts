import type { LineSteps } from '../line-steps';

export interface EditLimits {
  /** Most lines that the path may insert and delete. */
  editsMax: number;
  steps: LineSteps;
}

/** A rectangle of the edit graph: the lines of both sides that are not aligned yet. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A part of a shortest path: equal lines, with one deleted or inserted line before or after them. */
export interface Snake {
  from: { x: number; y: number };
  to: { x: number; y: number };
  matchesFirst: boolean;
}

/**
 * Finds the middle of a shortest path through a box of the edit graph (Myers 1986, section 4b). It searches from both
 * corners at once, until the two paths meet.
 */
export class MiddleSnakeSearch {
  private readonly steps: LineSteps;
  private readonly delta: number;
  private readonly rounds: number;
  /** The furthest position on each diagonal: x for the path from the top left, y for the path from the bottom right. */
  private readonly forwards: Int32Array;
  private readonly backwards: Int32Array;
  /** Equal lines passed since the last charge of steps. */
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

  /** @returns undefined if the path is longer than `editsMax` */
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
