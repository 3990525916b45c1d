import type { Versions } from '../merge/versions';
import type { TreeEntry } from '../pack/tree';

/** A path whose landed content is not simply one side's, with its entries in the four trees of a landing. */
export interface LandedPath extends Versions<TreeEntry> {
  /** Bytes of the name as latin1. */
  path: string;
  /** The path in the base, and on the side that did not rename the file. */
  renamedFrom?: string;
  /** The side that renamed it; `both` if both moved it to the same path. */
  renamedBy?: 'ours' | 'theirs' | 'both';
  /** One side renamed the file and the other one deleted it, so one of the two has to be chosen for any content. */
  isContradiction?: boolean;
  /** One side added it to a folder that the other side removed. */
  isBelowRemoved?: boolean;
}

/** The path of the file on one side of a landing. */
export function pathOn(side: 'ours' | 'theirs', { path, renamedFrom, renamedBy }: LandedPath): string {
  return renamedFrom === undefined || renamedBy === side || renamedBy === 'both' ? path : renamedFrom;
}

/** The path with another version of one side. A rename against a deletion ends once that side has the file too. */
export function withVersion(
  path: LandedPath,
  side: 'ours' | 'theirs',
  entry: TreeEntry | undefined,
): LandedPath {
  const { [side]: _, isContradiction, ...others } = path;
  const changed: LandedPath = { ...others, [side]: entry };
  return isContradiction && !(changed.ours && changed.theirs) ? { ...changed, isContradiction } : changed;
}
