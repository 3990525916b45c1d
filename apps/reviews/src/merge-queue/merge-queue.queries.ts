import type { MergeQueueFilters } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';
import type { ReviewRow } from '../reviews/review.queries';

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
