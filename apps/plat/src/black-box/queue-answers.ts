import type { MergeQueueStatistics, MergeQueueStatus } from '@plat/api-client';

/** The status of a queue that never moved. */
export const QUEUE_STATUS: MergeQueueStatus = {
  targetBranch: 'main',
  version: 0,
  slot: { activity: 'IDLE', health: 'ON_TIME' },
  pace: {
    basis: 0,
    measured: false,
    p50Seconds: 600,
    p95Seconds: 1200,
    lateAfterSeconds: 1200,
    stuckAfterSeconds: 3600,
  },
  entries: [],
};

/** The statistics of a queue that never moved. */
export const QUEUE_STATISTICS: MergeQueueStatistics = {
  targetBranch: 'main',
  since: '2026-01-01T00:00:00Z',
  until: '2026-01-31T00:00:00Z',
  outcomes: {
    entered: 0,
    promoted: 0,
    promotedByOverride: 0,
    merged: 0,
    reconciled: 0,
    gateFailed: 0,
    buildFailed: 0,
    requeued: 0,
    closed: 0,
  },
  readyToMerge: { basis: 0 },
  mergeToMerged: { basis: 0 },
  readyToMerged: { basis: 0 },
  flakySteps: [],
};
