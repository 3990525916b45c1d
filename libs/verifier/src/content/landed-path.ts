import type { TreeEntry } from '../pack/tree';
import type { Versions } from '../merge/versions';

/** A path that is not simply what one side made of it, with what the four trees of a landing have there. */
export interface LandedPath extends Versions<TreeEntry> {
  /** Bytes of the name as latin1. */
  path: string;
  /** Where the base and the side that did not rename it have the file. */
  renamedFrom?: string;
  /** Who renamed it. */
  renamedBy?: 'ours' | 'theirs';
  /** One side renamed it, the other one deleted it: one of the two has to be taken, whatever is in it. */
  isContradiction?: boolean;
  /** One side added it to a folder that the other side has no more. */
  isBelowRemoved?: boolean;
}

/** Where one side of a landing has the file of a path. */
export function pathOn(side: 'ours' | 'theirs', { path, renamedFrom, renamedBy }: LandedPath): string {
  return renamedFrom === undefined || renamedBy === side ? path : renamedFrom;
}
