/** A log by its number of entries and its root, of 32 bytes. */
export interface TreeHead {
  size: number;
  rootHash: Uint8Array;
}

/** Whether this is a number of entries that a log may have: an integer from 0 to 2^53 - 1. */
export const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0;

/** @throws RangeError if `size` is no number of entries, or `index` no entry of a log of that size */
export function demandIndex(index: number, size: number): void {
  if (!isSize(size) || !isSize(index) || index >= size) {
    throw new RangeError(`A log of ${size} entries has no entry ${index}.`);
  }
}

/** @throws RangeError if these are no numbers of entries, the older first */
export function demandSizes(from: number, to: number): void {
  if (!isSize(from) || !isSize(to) || from > to) {
    throw new RangeError(`A log of ${from} entries does not become one of ${to}.`);
  }
}

/** The largest power of two that is at most `count`, which is at least 1. Sizes pass 32 bits, so nothing is shifted. */
export function powerOfTwoWithin(count: number): number {
  let power = 1;
  while (power * 2 <= count) power *= 2;
  return power;
}
