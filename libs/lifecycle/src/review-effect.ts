import type { ReviewStatus } from '@plat/contracts/core';

/** The effect of a trigger on a review: a move, no change, or a refusal. */
export type ReviewEffect = ReviewMove | ReviewUnchanged | ReviewRefusal;

/** The review takes another status; the optional parts happen in the same transaction. */
export interface ReviewMove {
  kind: 'move';
  to: ReviewStatus;
  /** The field that takes the id of the build that was reported or named. */
  records?: 'lastReadyBuildId' | 'lastFailedBuildId' | 'lastMergedBuildId';
  /** The review takes a new ticket, so that it is last in its queue. */
  joinsTail?: true;
  /** If the review is now the head of an idle queue and has no OPEN thread, it is promoted at once (Rule B5). */
  continuesToMerge?: true;
  /** The repository must first confirm the merge: conditions A1 to A3 (queue) or B1 to B3 (reconciliation). */
  verifies?: 'queue' | 'reconciliation';
  /** A release of the merge commit is enqueued. */
  enqueuesRelease?: true;
}

/** The trigger is recorded or changes nothing. The review keeps status, place and build ids. */
export interface ReviewUnchanged {
  kind: 'unchanged';
}

export interface ReviewRefusal {
  kind: 'refuse';
  code: 'INVALID_TRANSITION' | 'REVIEW_NOT_MERGING' | 'INVALID_BODY';
  /** The field that the body lacks; present only with INVALID_BODY. */
  field?: 'buildId';
}

/** Every effect, by the name that the table of transitions uses. */
export const REVIEW_EFFECTS = {
  /** A successful RECORDED build: READY at the tail, and on to MERGE if the queue was idle. */
  green: {
    kind: 'move',
    to: 'READY',
    records: 'lastReadyBuildId',
    joinsTail: true,
    continuesToMerge: true,
  },
  /** READY asserted with a successful build: only a build report continues to MERGE. */
  ready: { kind: 'move', to: 'READY', records: 'lastReadyBuildId', joinsTail: true },
  requeued: { kind: 'move', to: 'READY', joinsTail: true },
  failed: { kind: 'move', to: 'FAILED', records: 'lastFailedBuildId' },
  promoted: { kind: 'move', to: 'MERGE' },
  merged: {
    kind: 'move',
    to: 'MERGED',
    records: 'lastMergedBuildId',
    verifies: 'queue',
    enqueuesRelease: true,
  },
  reconciled: { kind: 'move', to: 'MERGED', verifies: 'reconciliation' },
  closed: { kind: 'move', to: 'CLOSED' },
  unchanged: { kind: 'unchanged' },
  invalid: { kind: 'refuse', code: 'INVALID_TRANSITION' },
  notMerging: { kind: 'refuse', code: 'REVIEW_NOT_MERGING' },
  noBuildId: { kind: 'refuse', code: 'INVALID_BODY', field: 'buildId' },
} as const satisfies Record<string, ReviewEffect>;

export type ReviewEffectName = keyof typeof REVIEW_EFFECTS;
