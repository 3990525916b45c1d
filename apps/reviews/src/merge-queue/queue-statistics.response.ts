import type { ReviewCause } from '@plat/contracts/core';
import type {
  MergeQueueDurations,
  MergeQueueFlakyStep,
  MergeQueueOutcomes,
  MergeQueueStatistics,
} from '@plat/contracts/reviews';

/** The row of reviews.queue_statistics, whose objects have the fields of the answer. */
export interface QueueStatisticsRow {
  repository: string | null;
  from_time: string;
  to_time: string;
  /** How many moves each cause had. */
  outcomes: Record<Exclude<ReviewCause, 'CREATED'>, number>;
  ready_to_merge: MergeQueueDurations;
  merge_to_merged: MergeQueueDurations;
  ready_to_merged: MergeQueueDurations;
  flaky_steps: MergeQueueFlakyStep[] | null;
}

/** The statistics of a queue, from the row that the database has of them. */
export function toQueueStatistics(row: QueueStatisticsRow, targetBranch: string): MergeQueueStatistics {
  return {
    targetBranch,
    repository: row.repository ?? undefined,
    since: row.from_time,
    until: row.to_time,
    outcomes: toOutcomes(row.outcomes),
    readyToMerge: row.ready_to_merge,
    mergeToMerged: row.merge_to_merged,
    readyToMerged: row.ready_to_merged,
    flakySteps: row.flaky_steps ?? [],
  };
}

function toOutcomes(moves: QueueStatisticsRow['outcomes']): MergeQueueOutcomes {
  return {
    entered: moves.BUILD_SUCCEEDED,
    promoted: moves.PROMOTED + moves.PROMOTED_BY_OVERRIDE,
    promotedByOverride: moves.PROMOTED_BY_OVERRIDE,
    merged: moves.MERGED,
    reconciled: moves.RECONCILED,
    gateFailed: moves.GATE_FAILED,
    buildFailed: moves.BUILD_FAILED,
    requeued: moves.REQUEUED,
    closed: moves.CLOSED,
  };
}
