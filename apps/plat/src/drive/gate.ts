import type { ProcessIdentity } from '@plat/local';
import type { Git } from '../gate/git';

/** What tests a merge that is checked out. */
export interface Gate {
  /** The command that does the same, as `--dry-run` prints it. */
  planned: string;
  /** @throws Failure where the gate itself cannot be run, which tells nothing about the review */
  run(run: GateRun): Promise<GateOutcome>;
}

export interface GateRun {
  /** On the merge. */
  git: Git;
  /** What the merge stands on. */
  targetCommit: string;
  /** Ends the gate and everything that it started. */
  interrupted: AbortSignal;
  /** Told what it prints, as it comes. */
  output(chunk: Buffer): void;
  /** Told of each process group of the gate before it begins. */
  beginning(leader: ProcessIdentity): Promise<void>;
}

/** How the gate ended. Only the exit status decides. Spec: Client, Gate drive rules, rule 6. */
export interface GateOutcome {
  successful: boolean;
  /** Why it failed: how it ended and the end of what it printed. */
  detail?: string;
}
