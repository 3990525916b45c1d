/** A promise, and the query that finds its violations: each row that it returns is one. */
export interface Invariant {
  /** The rule that must hold, in plain words. */
  promise: string;
  /** A query that only reads. */
  sql: string;
  args?: unknown[];
}
