/** A promise that a query can break: whatever row it returns is a violation. */
export interface Invariant {
  /** In plain words, as it must hold. */
  promise: string;
  /** Reads only. */
  sql: string;
  args?: unknown[];
}
