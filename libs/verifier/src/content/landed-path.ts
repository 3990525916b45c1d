import type { Versions } from '../merge/versions';
import type { TreeEntry } from '../pack/tree';

/** A path that is not simply what one side made of it, with what the four trees of a landing have there. */
export interface LandedPath extends Versions<TreeEntry> {
  /** Bytes of the name as latin1. */
  path: string;
  /** Where the base has the file, and the side that did not rename it. */
  renamedFrom?: string;
  /** Who renamed it; `both` where both moved it to the same place. */
  renamedBy?: 'ours' | 'theirs' | 'both';
  /** One side renamed it, the other one deleted it: one of the two has to be taken, whatever is in it. */
  isContradiction?: boolean;
  /** One side added it to a folder that the other side has no more. */
  isBelowRemoved?: boolean;
}

/** Where one side of a landing has the file of a path. */
export function pathOn(side: 'ours' | 'theirs', { path, renamedFrom, renamedBy }: LandedPath): string {
  return renamedFrom === undefined || renamedBy === side || renamedBy === 'both' ? path : renamedFrom;
}

/** The path with another version of one side. A renamed file is in no contradiction once the other side has it, too. */
export function withVersion(
  path: LandedPath,
  side: 'ours' | 'theirs',
  entry: TreeEntry | undefined,
): LandedPath {
  const { [side]: _, isContradiction, ...others } = path;
  const changed: LandedPath = { ...others, ...(entry && { [side]: entry }) };
  return isContradiction && !(changed.ours && changed.theirs) ? { ...changed, isContradiction } : changed;
}
