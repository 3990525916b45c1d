import type { ReviewCause } from '@plat/contracts/core';

/** A move of a queue, as reviews.queue_moves records it. */
export type MoveName = 'ready' | 'promote' | 'requeue' | 'fail' | 'close' | 'merge' | 'reconcile';

/** Why a move was made, as the log has it. */
export type Cause = Exclude<ReviewCause, 'CREATED'>;

export interface LoggedMove {
  targetBranch: string;
  version: number;
  reviewId: string;
  repository: string | null;
  move: MoveName;
  ticket: number | null;
  cause: Cause;
  actorUserId: string;
  /** The reason of an override. */
  reason: string | null;
  /** Milliseconds since the epoch, by the database's clock. */
  at: number;
}

/** A request and its answer. */
export interface Operation {
  name: string;
  /** Milliseconds since the epoch by this process's clock, which is the database's too: both run on one machine. */
  startedAt: number;
  endedAt: number;
  requestId: string;
  /** Who sends it. */
  userId: string;
  /** The reason of an override, which no other request gives. */
  reason?: string;
  targetBranch: string;
  /** The named repository; null for none. */
  repository: string | null;
  /** The review that the request names or its answer returns. */
  reviewId?: string;
  /**
   * `moved`: the answer confirms `moves[0]`. `done`: it may have made any of `moves`. `refused`: it has made none.
   * `unknown`: no answer came, so it may or may not have made them.
   */
  outcome: 'moved' | 'done' | 'refused' | 'unknown';
  /** The moves that such a request can make. */
  moves: readonly MoveName[];
  /** The refusal's code, and the review that it names. */
  code?: string;
  occupantId?: string;
}

/** A comment thread, by the answers to its author's requests. */
export interface Thread {
  reviewId: string;
  /** When its opening was acknowledged. */
  openedBy: number;
  /** When its closing was requested, if it was. */
  closingFrom?: number;
}

/** Most milliseconds by which two readings of the clock at one moment may differ. */
export const CLOCK_SLACK_MS = 2;

/** Whether something happened between a request and its answer. */
export const within = (at: number, { startedAt, endedAt }: Operation): boolean =>
  at >= startedAt - CLOCK_SLACK_MS && at <= endedAt + CLOCK_SLACK_MS;

export const describeMove = ({ targetBranch, version, move, reviewId }: LoggedMove): string =>
  `${targetBranch} version ${version}, ${move} of ${reviewId}`;

const PLAIN_CAUSES: Readonly<Record<MoveName, Cause>> = {
  ready: 'BUILD_SUCCEEDED',
  promote: 'PROMOTED',
  requeue: 'REQUEUED',
  fail: 'BUILD_FAILED',
  close: 'CLOSED',
  merge: 'MERGED',
  reconcile: 'RECONCILED',
};

/** The cause that the log must name for a move that the request makes. */
export function causeOf({ name }: Pick<Operation, 'name'>, move: MoveName): Cause {
  if (name === 'override-advance') return 'PROMOTED_BY_OVERRIDE';
  if (name === 'report red GATE') return 'GATE_FAILED';
  return PLAIN_CAUSES[move];
}
