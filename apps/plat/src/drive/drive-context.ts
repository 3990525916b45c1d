import type { ContentVerdict } from '@plat/contracts/core';
import type { Tested } from '../build/tested';
import type { GateTime } from '../gate/gate-time';
import type { Git } from '../git/git';
import type { CheckpointRecording, RecordedCheckpoint } from '../landings/record-checkpoint';
import type { Platform } from '../platform/platform';
import type { Progress } from '../terminal/progress';
import type { Gate } from './gate';
import type { GateProcessFile } from './gate-process';

/** The tools and settings of every step of a drive. The state file is no part of it: only the loop writes that. */
export interface DriveContext {
  /** In the drive's own worktree. */
  git: Git;
  /** Where files that gates left in the way are moved to. */
  asideFolder: string;
  platform: Platform;
  targetBranch: string;
  /** The repository's canonical identity. */
  repository: string;
  /** The remote from which the service reads the merge: origin's address without credentials. */
  remoteUrl: string;
  gate: Gate;
  /** The longest time of a gate. */
  gateTime: GateTime;
  /** Base address of the forge's API; default: by the repository's host. */
  forgeUrl?: string;
  /** Flags of the person that a repeated drive needs too, such as the command of its gate. */
  repeatedFlags?: readonly string[];
  /** How the log's checkpoint is recorded after each push; undefined: it is not. */
  recording?: CheckpointRecording | undefined;
  /** Whether a review fails that would take back work of earlier landings without saying so. */
  refuseUndone?: boolean;
  /** File of the program that judges a merge before its gate; default: the client's own. */
  verifierWorker?: string;
  gateProcess: GateProcessFile;
  /** The holder's name for others: person, machine and checkout, with the checkout's id. */
  holder: string;
  /** Whether to gate a review although another holder gates it, or did. */
  takeOver: boolean;
  /** Aborted if the user stops the drive, or its claim is lost. */
  interrupted: AbortSignal;
  progress: Progress;
  /** Prints a line on stderr. */
  note(line: string): void;
  /** Passes on the gate's output. */
  output(chunk: Buffer): void;
}

/** The result for the pull request of a MERGED review. */
export type PullRequestEnd =
  { number: number; url: string; closed: true } | { closed: false; reason: string };

/** The result for one review. */
export interface DrivenReview {
  reviewId: string;
  name: string;
  sourceBranch: string;
  /**
   * ABANDONED: the review was moved away from MERGE meanwhile, or given up; nothing was pushed.
   * MERGED_ELSEWHERE: it was merged, but not by this drive.
   */
  outcome: 'MERGED' | 'FAILED' | 'ABANDONED' | 'MERGED_ELSEWHERE';
  mergeCommit?: string;
  /** Whether the landed content is the reviewed one; only for a review that is merged, here or elsewhere. */
  contentVerdict?: ContentVerdict;
  /** The tests of the gate that passed. */
  tested?: Tested;
  /** The GATE build. */
  buildId?: string;
  detail?: string;
  /** Set for a MERGED review whose source has a pull request on a known forge. */
  pullRequest?: PullRequestEnd;
  /** The recorded checkpoint; only for a MERGED review, if the drive records checkpoints. */
  checkpoint?: RecordedCheckpoint;
}
