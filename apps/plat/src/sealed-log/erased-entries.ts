import { EntryRanges } from '@plat/ledger';
import { Altered } from './altered';
import { IndexSet } from './index-set';

/** Which entries show no fields, and whether a later entry says that these were erased. */
export class ErasedEntries {
  private readonly withheld = new IndexSet();
  private readonly erased = new IndexSet();
  /** Keys and erasures, in ascending order: they are never erased. */
  private readonly lasting: number[] = [];

  withhold(index: number): void {
    this.withheld.add(index);
  }

  keep(index: number): void {
    this.lasting.push(index);
  }

  /** @throws Altered if an erasure names itself, a later entry, or one that is never erased */
  erase(text: string, by: number): void {
    const ranges = readRanges(text, by);
    if (ranges.last >= by) {
      throw new Altered(`Entry ${by} erases entry ${ranges.last}, which is not before it.`, by);
    }
    for (const range of text.split(',')) {
      const [first = 0, last = first] = range.split('-').map(Number);
      const lasting = this.firstLastingFrom(first);
      if (lasting !== undefined && lasting <= last) {
        throw new Altered(`Entry ${by} erases entry ${lasting}, which is a key or an erasure itself.`, by);
      }
      this.erased.addRange(first, last);
    }
  }

  /** The first key or erasure from an entry on. A log may have an erasure for each person, so they are not gone through. */
  private firstLastingFrom(first: number): number | undefined {
    let [low, high] = [0, this.lasting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lasting[middle]! < first) low = middle + 1;
      else high = middle;
    }
    return this.lasting[low];
  }

  /** The first entry that shows no fields although no later one says that they were erased. */
  firstUnexplained(): number | undefined {
    return this.withheld.firstWithout(this.erased);
  }
}

function readRanges(text: string, by: number): EntryRanges {
  try {
    return EntryRanges.parse(text);
  } catch (error) {
    throw new Altered(`Entry ${by} does not say which entries it erases: ${(error as Error).message}`, by);
  }
}
