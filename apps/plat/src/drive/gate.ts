import type { ProcessIdentity } from '@plat/local';
import type { Tested } from '../build/tested';
import type { Git } from '../git/git';

/** Tests a merge that is checked out. */
export interface Gate {
  /** The equivalent command for the target branch, as `--dry-run` prints it. */
  plan(git: Git, targetBranch: string): Promise<string>;
  /** @throws Failure if the gate itself cannot be run, which says nothing about the review */
  run(run: GateRun): Promise<GateOutcome>;
}

export interface GateRun {
  /** The checkout, on the merge. */
  git: Git;
  /** The target's commit below the merge. */
  targetCommit: string;
  /** Checks out the target commit below the merge, without any file that a gate has left. */
  checkOutTarget(): Promise<void>;
  /** Ends the gate and all processes that it started. */
  interrupted: AbortSignal;
  /** Called with the gate's output as it arrives. */
  output(chunk: Buffer): void;
  /** Called with each process group of the gate before it begins. */
  beginning(leader: ProcessIdentity): Promise<void>;
}

/** How the gate ended. Only the exit status decides. Spec: Client, Gate drive rules, rule 6. */
export interface GateOutcome {
  successful: boolean;
  /** The tests that ran; set for a success. */
  tested?: Tested | undefined;
  /** Set if it has reached no verdict about the merge: why. The review fails all the same. */
  undecided?: string;
  /** Why it failed: how it ended, and the end of its output. */
  detail?: string;
}
