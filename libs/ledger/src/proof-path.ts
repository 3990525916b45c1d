import { powerOfTwoWithin } from './tree-size';

/** The subtree over the entries from `start` to before `end`. */
export interface Subtree {
  start: number;
  end: number;
}

/** A sibling on the way from a subtree up to the root, and on which side of the way it lies. */
export interface Sibling extends Subtree {
  side: 'left' | 'right';
}

/** The siblings between an entry and the root, the lowest first: PATH of RFC 6962, section 2.1.1. */
export function inclusionPath(index: number, size: number): Sibling[] {
  return descend(size, ({ start, end }) => end - start > 1 && { goesLeft: (middle) => index < middle }).path;
}

/**
 * From the last subtree that a log of `from` entries has in common with one of `to` entries up to the root of the latter:
 * SUBPROOF of RFC 6962, section 2.1.2. A proof begins with the hash of that subtree, unless it is the whole older log.
 * Both sizes are at least 1.
 */
export function consistencyPath(from: number, to: number): { common: Subtree; path: Sibling[] } {
  const { reached, path } = descend(
    to,
    ({ end }) => end !== from && { goesLeft: (middle) => from <= middle },
  );
  return { common: reached, path };
}

/** Goes down from the root for as long as `next` says which way. */
function descend(
  size: number,
  next: (at: Subtree) => false | { goesLeft: (middle: number) => boolean },
): { reached: Subtree; path: Sibling[] } {
  const path: Sibling[] = [];
  let at: Subtree = { start: 0, end: size };
  for (let way = next(at); way; way = next(at)) {
    const { start, end } = at;
    const middle = start + powerOfTwoBelow(end - start);
    const goesLeft = way.goesLeft(middle);
    path.push(goesLeft ? { start: middle, end, side: 'right' } : { start, end: middle, side: 'left' });
    at = goesLeft ? { start, end: middle } : { start: middle, end };
  }
  return { reached: at, path: path.reverse() };
}

/** The largest power of two that is less than `count`, which is at least 2: where RFC 6962 divides a tree. */
const powerOfTwoBelow = (count: number): number => powerOfTwoWithin(count - 1);
