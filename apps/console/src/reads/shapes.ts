/** The answers that the console shows, as the contract has them. */
import type { AuditEventPage, MergeQueueStatistics, MergeQueueStatus, ReviewHistory } from '@plat/api-client';

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

export type QueueStatus = MergeQueueStatus;
export type QueueEntry = QueueStatus['entries'][number];
export type QueueEstimate = QueueEntry['estimate'];
export type SlotActivity = QueueStatus['slot']['activity'];
export type QueueStatistics = MergeQueueStatistics;
export type Durations = QueueStatistics['readyToMerge'];
