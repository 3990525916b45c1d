/** Lines of one side with a flag for each line without a counterpart on the other side. */
export interface FlaggedLines {
  lines: Int32Array;
  changed: Uint8Array;
}

/**
 * Moves each group of changed lines among equal lines to git's place: as far down as possible, or to the last place at
 * which the other side has changed lines as well. The diff keeps its length, but a merge depends on the place, because
 * changes that touch each other are a conflict.
 */
export function slideChanges(side: FlaggedLines, other: FlaggedLines): void {
  const [group, opposite] = [new ChangeGroup(side), new ChangeGroup(other)];
  do {
    if (!group.isEmpty) slide(group, opposite);
  } while (group.moveToNext() && opposite.moveToNext());
}

function slide(group: ChangeGroup, opposite: ChangeGroup): void {
  let size: number;
  let highestEnd: number;
  let matchingEnd: number | undefined;
  do {
    size = group.size;
    while (group.slideUp()) opposite.moveToPrevious();
    highestEnd = group.end;
    matchingEnd = opposite.isEmpty ? undefined : group.end;
    while (group.slideDown()) {
      opposite.moveToNext();
      if (!opposite.isEmpty) matchingEnd = group.end;
    }
    // The group may have joined another one, and the joined group may move further.
  } while (size !== group.size);
  if (group.end === highestEnd || matchingEnd === undefined) return;
  while (opposite.isEmpty && group.slideUp()) opposite.moveToPrevious();
}

/** The changed lines between two unchanged ones, from `start` to before `end`. May be empty. */
class ChangeGroup {
  private start = 0;
  end = 0;

  constructor(private readonly side: FlaggedLines) {
    this.growDown();
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  get size(): number {
    return this.end - this.start;
  }

  moveToNext(): boolean {
    if (this.end === this.side.lines.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    this.growDown();
    return true;
  }

  moveToPrevious(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    this.start = this.end;
    this.growUp();
    return true;
  }

  slideDown(): boolean {
    const { lines, changed } = this.side;
    if (this.end >= lines.length || lines[this.start] !== lines[this.end]) return false;
    changed[this.start++] = 0;
    changed[this.end++] = 1;
    this.growDown();
    return true;
  }

  slideUp(): boolean {
    const { lines, changed } = this.side;
    if (this.start === 0 || lines[this.start - 1] !== lines[this.end - 1]) return false;
    changed[--this.start] = 1;
    changed[--this.end] = 0;
    this.growUp();
    return true;
  }

  private growDown(): void {
    while (this.side.changed[this.end] === 1) this.end += 1;
  }

  private growUp(): void {
    while (this.start > 0 && this.side.changed[this.start - 1] === 1) this.start -= 1;
  }
}
