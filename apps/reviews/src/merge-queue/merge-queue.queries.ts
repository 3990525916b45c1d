import type { MergeQueueFilters } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';
import type { ReviewRow } from '../review/review.queries';

/** The reviews that wait, each queue in its order; the filters' repository is canonical already. */
export function listMergeQueue(
  database: Database,
  scope: TenantScope,
  { repository = null, targetBranch = null }: NullableFilters,
): Promise<ReviewRow[]> {
  return database.call(scope, { name: 'reviews.list_merge_queue', args: [repository, targetBranch] });
}

type NullableFilters = { [Name in keyof MergeQueueFilters]?: string | null | undefined };

/** Promotes the head of a queue under the queue's lock. */
export function advance(
  database: Database,
  scope: TenantScope,
  {
    targetBranch,
    repository,
    override,
  }: { targetBranch: string; repository: string | null; override: boolean },
): Promise<ReviewRow[]> {
  return database.call(scope, { name: 'reviews.advance', args: [targetBranch, repository, override] });
}
