import type { Git } from '../gate/git';
import type { Platform } from '../session/platform';
import type { Progress } from '../terminal/progress';
import type { DriveStateFile } from './drive-state';
import type { Gate } from './gate';
import type { GateProcessFile } from './gate-process';

/** What every step of a drive works with. */
export interface DriveContext {
  git: Git;
  platform: Platform;
  targetBranch: string;
  /** Canonically. */
  repository: string;
  /** Where the service reads the merge: origin, without what it knows of passwords. */
  remoteUrl: string;
  gate: Gate;
  /** Base address of the forge's API; default: by the repository's host. */
  forgeUrl?: string;
  stateFile: DriveStateFile;
  gateProcess: GateProcessFile;
  /** Who drives, as others see it: person, machine and checkout, with the checkout's id. */
  holder: string;
  /** Gates a review although another holder is, or was, at it. */
  takeOver: boolean;
  /** Aborted when the user stops the drive, or its claim is lost. */
  interrupted: AbortSignal;
  progress: Progress;
  /** Says a line on stderr. */
  note(line: string): void;
  /** Passes on what the gate prints. */
  output(chunk: Buffer): void;
}

/** What became of the pull request of a review that is MERGED. */
export type PullRequestEnd =
  { number: number; url: string; closed: true } | { closed: false; reason: string };

/** What became of one review. */
export interface DrivenReview {
  reviewId: string;
  name: string;
  sourceBranch: string;
  /**
   * ABANDONED: somebody moved the review away from MERGE meanwhile, or it was given up; nothing was pushed.
   * MERGED_ELSEWHERE: it was merged, and not by this drive.
   */
  outcome: 'MERGED' | 'FAILED' | 'ABANDONED' | 'MERGED_ELSEWHERE';
  mergeCommit?: string;
  /** The GATE build. */
  buildId?: string;
  detail?: string;
  /** Of a MERGED review whose source has one on a known forge. */
  pullRequest?: PullRequestEnd;
}
