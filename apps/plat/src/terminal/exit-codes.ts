/** Every exit code of the client; 124 is that of timeout(1). Spec: Client, Authentication, rule 1; Rule G1. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  /** A sealed log is sound in itself and contradicts a checkpoint of it that was known. */
  contradicts: 3,
  /** A review is MERGED, and its landed content is not the reviewed one: DIVERGENT. */
  divergent: 4,
  /** The awaited event did not happen in time. */
  timedOut: 124,
  /** No platform alias could be resolved, so this machine cannot reach the platform by any command. */
  noAlias: 127,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
