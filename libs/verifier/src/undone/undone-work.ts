import type { UndoneCertainty, UndoneFile, UndoneKind } from '@plat/contracts/core';

/** Work of an earlier landing that a later one takes back. */
export interface UndoneFinding {
  /** The earlier landing's commit on the target's first-parent chain. */
  commitId: string;
  path: string;
  in?: UndoneFile;
  /** Counted from 1, the last one inclusive; absent if the finding is about the whole file or its mode. */
  firstLine?: number;
  lastLine?: number;
  kind: UndoneKind;
  certainty: UndoneCertainty;
  /** The commit of the source that did it; absent if it was the landing. */
  sourceCommitId?: string;
}

/** The earlier landings that were examined. */
export interface UndoneWindow {
  landings: number;
  /** The oldest of them; absent if there is none. */
  oldestCommitId?: string;
  /** Whether they are all since the source parted from the target, and all of the days that were asked for. */
  isComplete: boolean;
}

/** Everything that a landing takes back of earlier ones. */
export interface UndoneWork {
  /** The surest first, at most 100. */
  findings: UndoneFinding[];
  /** Number of further findings. */
  findingsLeftOut?: number;
  /** The commits that commits of the source say they revert: ids, or their first digits. */
  revertedIds: string[];
  /** The lines in which messages of the source's commits, and of the landed one, have a word of reverting or undoing. */
  revertLines: string[];
  window: UndoneWindow;
}

/** The reason why it could not be determined. */
export interface UndoneUnknown {
  unknown: string;
}
