import { Malformed } from './malformed';
import { isSize } from './tree-size';

/** Indexes of entries from `first` to `last`, both included. */
interface Range {
  first: number;
  last: number;
}

const RANGE = /^(0|[1-9]\d{0,15})(?:-([1-9]\d{0,15}))?$/;

/** A set of entries, as an erasure names it: `3-7,9`. */
export class EntryRanges {
  private constructor(private readonly ranges: readonly Range[]) {}

  /**
   * @param indexes of entries, ascending, each once, at least one
   * @throws RangeError for others
   */
  static of(indexes: Iterable<number>): EntryRanges {
    const ranges: Range[] = [];
    for (const index of indexes) {
      const before = ranges.at(-1);
      if (!isSize(index) || index <= (before?.last ?? -1)) {
        throw new RangeError(`Entry ${index} is misplaced.`);
      }
      if (before?.last === index - 1) before.last = index;
      else ranges.push({ first: index, last: index });
    }
    if (ranges.length === 0) throw new RangeError('No entry is named.');
    return new EntryRanges(ranges);
  }

  /**
   * @throws Malformed for a text that `toString` never gives: ranges out of order, ranges that touch each other, a range
   *   of one entry with two ends, nothing
   */
  static parse(text: string): EntryRanges {
    const ranges = text.split(',').map(parseRange);
    const misplaced = ranges.find(({ first }, at) => at > 0 && first <= ranges[at - 1]!.last + 1);
    if (misplaced) throw new Malformed(`The entries from ${misplaced.first} on are not in ascending ranges.`);
    return new EntryRanges(ranges);
  }

  /** Takes time by the logarithm of the number of ranges. */
  includes(index: number): boolean {
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ranges[middle]!.last < index) low = middle + 1;
      else high = middle;
    }
    return low < this.ranges.length && this.ranges[low]!.first <= index;
  }

  /** The largest index. */
  get last(): number {
    return this.ranges.at(-1)!.last;
  }

  toString(): string {
    return this.ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join();
  }
}

function parseRange(text: string): Range {
  const [, first, last = first] = RANGE.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  const isRange = first === text || range.first < range.last;
  if (first === undefined || !isRange || !isSize(range.last)) {
    throw new Malformed(`${JSON.stringify(text.slice(0, 40))} is no range of entries.`);
  }
  return range;
}
