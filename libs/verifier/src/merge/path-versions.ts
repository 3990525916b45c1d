import type { TreeEntry } from '../pack/tree';
import type { Versions } from './versions';

/** A path whose landed content is not simply one side's, with its entries in the four trees of a landing. */
export interface PathVersions extends Versions<TreeEntry> {
  /** Bytes of the name as latin1. */
  path: string;
  /** Set if git leaves a choice between whole files to a person. */
  choice?: Choice;
  /** Set if the merge of the path is not computed here, such as a file in the place of the other side's directory. */
  isUnjudged?: boolean;
}

/** A conflict of renames: one decision of a person for all its paths. */
export interface Choice {
  /** The path in the merge base. */
  from: string;
}
