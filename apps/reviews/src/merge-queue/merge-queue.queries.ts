import type { MergeQueueFilters } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';
import type { ReviewRow } from '../reviews/review.queries';
import type { QueueStatisticsRow } from './queue-statistics.response';
import type { DivergentRow, QueueStatusRow } from './queue-status.response';

/** Landings of a queue whose content is looked at, so that an old one does not warn for ever. */
const LANDINGS_LOOKED_AT = 30;

/** A waiting review, its place in the queue, and when the page was read. */
export interface WaitingRow extends ReviewRow {
  ticket: number;
  as_of: string;
}

/** The waiting reviews after `after`, each queue in its order. The filters' repository is canonical already. */
export function pageMergeQueue(
  database: Database,
  scope: TenantScope,
  { filters, after, asOf, rows }: MergeQueuePage,
): Promise<WaitingRow[]> {
  const { repository, targetBranch } = filters;
  const place = [asOf, after?.target_branch, after?.ticket, after?.tenant_id];
  return database.page(scope, {
    name: 'reviews.page_merge_queue',
    args: [...[repository, targetBranch, ...place].map((value) => value ?? null), rows],
    select: 'f.*, now() AS as_of',
  });
}

interface MergeQueuePage {
  filters: { [Name in keyof MergeQueueFilters]?: string | undefined };
  after: WaitingRow | undefined;
  /** When the first page was read. Reviews that moved since then are left out. */
  asOf: string | undefined;
  rows: number;
}

/** The queue whose head is promoted. With a reason, open threads do not prevent the promotion. */
interface Promotion {
  targetBranch: string;
  repository: string | null;
  reason: string | undefined;
}

/** Promotes the head of a queue under the queue's lock. */
export function advance(
  database: Database,
  scope: TenantScope,
  { targetBranch, repository, reason }: Promotion,
): Promise<ReviewRow[]> {
  return database.call(scope, {
    name: 'reviews.advance',
    args: [targetBranch, repository, reason !== undefined, reason ?? null],
  });
}

/** A queue; the repository is canonical already, and null if none is named. */
export interface QueueName {
  targetBranch: string;
  repository: string | null;
}

/** One row about a queue, with the entries after a ticket. @throws MERGE_QUEUE_AMBIGUOUS */
export function readQueueStatus(
  database: Database,
  scope: TenantScope,
  { queue: { targetBranch, repository }, afterTicket, rows }: QueueStatusPage,
): Promise<QueueStatusRow[]> {
  return database.page(scope, {
    name: 'reviews.queue_status',
    args: [targetBranch, repository, afterTicket, rows],
  });
}

/** Those of the last landings of a queue whose content is DIVERGENT. @throws MERGE_QUEUE_AMBIGUOUS */
export function readDivergentLandings(
  database: Database,
  scope: TenantScope,
  { targetBranch, repository }: QueueName,
): Promise<DivergentRow[]> {
  return database.call(scope, {
    name: 'reviews.divergent_landings',
    args: [targetBranch, repository, LANDINGS_LOOKED_AT],
  });
}

interface QueueStatusPage {
  queue: QueueName;
  afterTicket: string;
  rows: number;
}

/** One row about a time of a queue. @throws INVALID_QUERY, MERGE_QUEUE_AMBIGUOUS */
export function readQueueStatistics(
  database: Database,
  scope: TenantScope,
  { queue: { targetBranch, repository }, since, until }: QueueStatisticsTime,
): Promise<QueueStatisticsRow[]> {
  return database.page(scope, {
    name: 'reviews.queue_statistics',
    args: [targetBranch, repository, since ?? null, until ?? null],
  });
}

interface QueueStatisticsTime {
  queue: QueueName;
  since: string | undefined;
  until: string | undefined;
}
