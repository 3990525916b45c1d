/** A move of a queue, as reviews.queue_moves keeps it. */
export type MoveName = 'ready' | 'promote' | 'requeue' | 'fail' | 'close' | 'merge' | 'reconcile';

export interface LoggedMove {
  targetBranch: string;
  version: number;
  reviewId: string;
  repository: string | null;
  move: MoveName;
  ticket: number | null;
  /** Milliseconds since the epoch, by the database's clock. */
  at: number;
}

/** What somebody asked for, and what he was told. */
export interface Operation {
  name: string;
  /** Milliseconds since the epoch, by our clock, which is the database's: both run on one machine. */
  startedAt: number;
  endedAt: number;
  requestId: string;
  targetBranch: string;
  /** The named repository; null for none. */
  repository: string | null;
  /** The review that it was about, or that it was told of. */
  reviewId?: string;
  /**
   * `moved`: the answer says that `moves[0]` was made. `done`: it may have made any of `moves`. `refused`: it has made
   * none. `unknown`: no answer came, so it may or may not have made them.
   */
  outcome: 'moved' | 'done' | 'refused' | 'unknown';
  /** The moves that such a request can make. */
  moves: readonly MoveName[];
  /** The refusal's code, and the review that it names. */
  code?: string;
  occupantId?: string;
}

/** A comment thread, by the answers that its author got. */
export interface Thread {
  reviewId: string;
  /** When its opening was acknowledged. */
  openedBy: number;
  /** When closing it was asked for, if ever. */
  closingFrom?: number;
}

/** Two readings of the clock at one moment may differ by this many milliseconds. */
export const CLOCK_SLACK_MS = 2;

/** Whether something happened while an answer was waited for. */
export const within = (at: number, { startedAt, endedAt }: Operation): boolean =>
  at >= startedAt - CLOCK_SLACK_MS && at <= endedAt + CLOCK_SLACK_MS;

export const describeMove = ({ targetBranch, version, move, reviewId }: LoggedMove): string =>
  `${targetBranch} version ${version}, ${move} of ${reviewId}`;
