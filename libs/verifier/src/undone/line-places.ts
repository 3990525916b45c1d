import type { LineChange } from '../merge/line-changes';

/** Finds where lines of a text are in another one, by the changes from the one to the other. */
export class LinePlaces {
  /** @param changes in order */
  constructor(private readonly changes: readonly LineChange[]) {}

  /** The place of a line; undefined if it is gone. */
  of(line: number): number | undefined {
    const change = this.lastBefore(line + 1);
    if (change === undefined) return line;
    return line < change.end ? undefined : line - change.end + change.sideEnd;
  }

  /** The place before which a line is, or would be if it was not gone. */
  before(line: number): number {
    const change = this.lastBefore(line);
    if (change === undefined) return line;
    return line < change.end ? change.sideEnd : line - change.end + change.sideEnd;
  }

  /** The change that removes a line. */
  removerOf(line: number): LineChange | undefined {
    const change = this.lastBefore(line + 1);
    return change !== undefined && line < change.end ? change : undefined;
  }

  /** The changes that insert lines before a line, or replace those around it. */
  changesAround(line: number): LineChange[] {
    const index = this.countBefore(line + 1) - 1;
    return [this.changes[index - 1], this.changes[index]].flatMap((change) =>
      change !== undefined && change.start <= line && line <= change.end ? change : [],
    );
  }

  private lastBefore(line: number): LineChange | undefined {
    return this.changes[this.countBefore(line) - 1];
  }

  /** How many changes start before a line. */
  private countBefore(line: number): number {
    let [low, high] = [0, this.changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changes[middle] as LineChange).start < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
