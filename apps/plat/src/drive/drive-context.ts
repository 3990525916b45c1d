import type { Git } from '../gate/git';
import type { Platform } from '../session/platform';
import type { Progress } from '../terminal/progress';
import type { DriveStateFile } from './drive-state';

/** What every step of a drive works with. */
export interface DriveContext {
  git: Git;
  platform: Platform;
  targetBranch: string;
  /** Canonically. */
  repository: string;
  /** Where the service reads the merge: origin, without what it knows of passwords. */
  remoteUrl: string;
  gateCommand: string;
  stateFile: DriveStateFile;
  /** Aborted when the user stops the drive, or its claim is lost. */
  interrupted: AbortSignal;
  progress: Progress;
  /** Says a line on stderr. */
  note(line: string): void;
  /** Passes on what the gate prints. */
  output(chunk: Buffer): void;
}

/** What became of one review. */
export interface DrivenReview {
  reviewId: string;
  name: string;
  sourceBranch: string;
  /** ABANDONED: somebody moved the review away from MERGE meanwhile; nothing was pushed. */
  outcome: 'MERGED' | 'FAILED' | 'ABANDONED';
  mergeCommit?: string;
  /** The GATE build. */
  buildId?: string;
  detail?: string;
}
