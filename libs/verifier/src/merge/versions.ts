/** A path's entries in the four trees of a landing; absent if a tree lacks the path. */
export interface Versions<Thing> {
  /** The merge base. */
  base?: Thing;
  /** The landed commit's parent. */
  ours?: Thing;
  /** The reviewed source. */
  theirs?: Thing;
  /** The landed commit. */
  landed?: Thing;
}
