/** Every exit code of the client; 124 is what timeout(1) ends with. Spec: Client, Authentication, rule 1; Decision G1. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  /** What was waited for did not come in time. */
  timedOut: 124,
  /** No platform alias could be resolved: this machine cannot reach the platform, whatever is tried. */
  noAlias: 127,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
