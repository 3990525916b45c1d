/** What a path has in the four trees of a landing; absent where a tree lacks it. */
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
