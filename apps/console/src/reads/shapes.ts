/** The answers that the console shows, as the contract has them. */
import type { AuditEventPage, ReviewHistory } from '@plat/api-client';

export type {
  AuditEventPage,
  Build,
  Comment,
  GateRun,
  GateRunPage,
  MergeReceipt,
  Platform,
  Release,
  Review,
  ReviewHistory,
  User,
  Whoami,
} from '@plat/api-client';
export type AuditEvent = AuditEventPage['events'][number];
export type ReviewEvent = ReviewHistory['events'][number];

export type SlotActivity =
  | 'IDLE'
  | 'HEAD_NOT_ADVANCED'
  | 'HEAD_BLOCKED'
  | 'NO_GATE_RUN'
  | 'GATE_RUNNING'
  | 'GATE_PASSED_NOT_REPORTED'
  | 'GATE_FAILED_NOT_RECORDED'
  | 'GATE_INCONCLUSIVE';

export interface QueueReview {
  reviewId: string;
  name: string;
  sourceBranch: string;
  authorUserId: string;
}

export interface QueueEstimate {
  earliest?: string;
  likely?: string;
  latest?: string;
  basis?: number;
  errorSeconds?: number;
  unavailable?: 'TOO_FEW_MERGES' | 'BLOCKED' | 'HEAD_BLOCKED' | 'OVERDUE';
}

export interface QueueEntry extends QueueReview {
  position: number;
  since: string;
  blockedBy?: { openThreads: number };
  estimate: QueueEstimate;
}

export interface QueueSlot {
  review?: QueueReview;
  since?: string;
  activity: SlotActivity;
  gateRunId?: string;
  gateRunSince?: string;
  health: 'ON_TIME' | 'LATE' | 'STUCK';
  cause?: SlotActivity;
  estimate?: QueueEstimate;
}

export interface QueueStatus {
  targetBranch: string;
  repository?: string;
  version: number;
  slot: QueueSlot;
  pace: {
    basis: number;
    measured: boolean;
    p50Seconds: number;
    p95Seconds: number;
    lateAfterSeconds: number;
    stuckAfterSeconds: number;
    errors?: { estimates: number; medianSeconds: number; withinRange: number };
  };
  entries: QueueEntry[];
  nextCursor?: string;
}

export interface Durations {
  basis: number;
  meanSeconds?: number;
  p50Seconds?: number;
  p95Seconds?: number;
}

export interface QueueStatistics {
  targetBranch: string;
  repository?: string;
  since: string;
  until: string;
  outcomes: Record<
    | 'entered'
    | 'promoted'
    | 'promotedByOverride'
    | 'merged'
    | 'reconciled'
    | 'gateFailed'
    | 'buildFailed'
    | 'requeued'
    | 'closed',
    number
  >;
  readyToMerge: Durations;
  mergeToMerged: Durations;
  readyToMerged: Durations;
  flakySteps: {
    failingStep: string;
    flakyRuns: number;
    failingRuns: number;
    lastAt: string;
    lastGateRunId: string;
    lastLogRef?: string;
  }[];
}
