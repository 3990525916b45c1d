import type { UndoneWork } from '../before-push/find-undone';
import type { LedgerCheck } from '../landings/ledger-row';
import type { EarlierLanding } from '../undone/undone-report';

type Finding = UndoneWork['findings'][number];

/** From the worst state to the best. */
export const STANDING_STATES = ['missing', 'undone', 'unknown', 'reverted', 'edited', 'standing'] as const;

/**
 * missing: its commit is not in the target's history. undone: a later landing took lines of it back, and no text says so.
 * unknown: it cannot be determined. reverted: a later landing says that it reverts it. edited: later landings changed or removed
 * lines in the usual course of work. standing: all of it is there.
 */
export type StandingState = (typeof STANDING_STATES)[number];

/** A part of a landing that a later one took. */
export interface TakenPlace {
  path: string;
  /** The version with these lines: the landed one, or the target's newest one, which has lines again that the landing removed. */
  in?: 'landed' | 'tip' | undefined;
  /** Counted from 1, the last one inclusive; absent if it is the whole file or its mode. */
  firstLine?: number | undefined;
  lastLine?: number | undefined;
  /** The way in which it was taken back, and how sure it is; absent if it was edited. */
  kind?: Finding['kind'] | undefined;
  certainty?: Finding['certainty'] | undefined;
  /** The commit of the later landing's source that did it. */
  sourceCommitId?: string | undefined;
  /** The later landing. */
  by: EarlierLanding;
}

/** A landing, and how much of it the target has today. */
export interface StandingLanding {
  state: StandingState;
  /** Absent if no receipt or review is known of it. */
  reviewId?: string | undefined;
  /** The review's name, or the commit's subject. */
  reviewName: string;
  /** The newest commit; absent if the receipt names none. */
  commitId?: string | undefined;
  author?: string | undefined;
  /** RFC 3339 UTC. */
  landedAt?: string | undefined;
  undone: TakenPlace[];
  reverted: TakenPlace[];
  edited: TakenPlace[];
  /** Places that are gone, and it is not known how. */
  unclear: TakenPlace[];
  /** Number of further places that are not listed. */
  placesLeftOut?: number | undefined;
  /** Why it is missing, or why not all of it could be determined. */
  detail?: string | undefined;
  /** The commands that land it again, of a landing that is missing or undone. */
  landAgain?: string[] | undefined;
}

/** The landings that were examined. */
export interface StandingWindow {
  /** They begin at this time, RFC 3339 UTC; absent if `--since` says where. */
  since?: string | undefined;
  landings: number;
  oldestCommitId?: string | undefined;
  /** Whether they are all of this time. */
  isComplete: boolean;
}

export interface StandingReport {
  /** Whether none is missing, undone or unknown, and all of the window were examined. */
  stands: boolean;
  /** Newest first. */
  landings: StandingLanding[];
  window: StandingWindow;
}

/** The result of `plat ledger check --still-there`. */
export type StandingCheck = LedgerCheck & StandingReport;
