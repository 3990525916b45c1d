/**
 * How a landing loses work of an earlier one:
 * - `dropped_by_merge`: a merge of the target into the source lost it, outside of any conflict
 * - `dropped_in_conflict`: such a merge lost it in the place of a conflict
 * - `dropped_by_landing`: the source kept it, and the landed commit itself lost it
 * - `restored`: a commit of the source brought back the state before
 * - `deleted`: a commit of the source removed it
 */
export type UndoneKind =
  'dropped_by_merge' | 'dropped_in_conflict' | 'dropped_by_landing' | 'restored' | 'deleted';

/** How certain it is that the author of the source did not mean it. */
export type UndoneCertainty = (typeof CERTAINTIES)[number];

/** The most certain one first. */
export const CERTAINTIES = ['sure', 'likely', 'possible'] as const;

/** Work of an earlier landing that a later one takes back. */
export interface UndoneFinding {
  /** The earlier landing's commit on the target's first-parent chain. */
  commitId: string;
  path: string;
  /** The version of the file that has the lines: the target's before the landing, or the landed one, which has them again. */
  in?: 'target' | 'landed';
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
  window: UndoneWindow;
}

/** The reason why it could not be determined. */
export interface UndoneUnknown {
  unknown: string;
}
