import type { ReleaseStatus } from '@plat/contracts/core';
import type { CreateRelease, ReleaseFilters } from '@plat/contracts/releases';
import type { Database, KeyedScope, TenantScope } from '@plat/database';

/** A row of releases.releases. Timestamps are RFC 3339 UTC. */
export interface ReleaseRow {
  tenant_id: string;
  release_id: string;
  review_id: string | null;
  target_branch: string;
  commit_id: string;
  status: ReleaseStatus;
  attempt: number;
  version: string | null;
  build_id: string | null;
  failure_reason: string | null;
  created_at: string;
  updated_at: string;
}

/**
 * Queues the release of a commit, or returns the one that exists. `created` is true for a new one.
 *
 * @throws NOT_FOUND for a review that is not the tenant's
 */
export function enqueueRelease(
  database: Database,
  scope: KeyedScope,
  {
    releaseId,
    reviewId = null,
    targetBranch,
    commitId,
  }: Omit<CreateRelease, 'reviewId'> & {
    releaseId: string;
    reviewId?: string | null | undefined;
  },
): Promise<(ReleaseRow & { created: boolean })[]> {
  return database.create(scope, {
    name: 'releases.enqueue',
    args: [releaseId, reviewId, targetBranch, commitId],
    select: 'f.created, (f.entry).*',
  });
}

export function findRelease(
  database: Database,
  scope: TenantScope,
  releaseId: string,
): Promise<ReleaseRow[]> {
  return database.find(scope, { name: 'releases.get_release', args: [releaseId] });
}

/** The releases after `after`, newest first. */
export function pageReleases(
  database: Database,
  scope: TenantScope,
  { filters, after, rows }: { filters: ReleaseFilters; after: ReleaseRow | undefined; rows: number },
): Promise<ReleaseRow[]> {
  const { targetBranch, reviewId, status } = filters;
  const place = [after?.created_at, after?.release_id];
  return database.page(scope, {
    name: 'releases.page_releases',
    args: [...[targetBranch, reviewId, status, ...place].map((value) => value ?? null), rows],
  });
}

/** The releases of a review after `after`, newest first. @throws NOT_FOUND for a review that is not visible */
export function pageReviewReleases(
  database: Database,
  scope: TenantScope,
  { reviewId, after, rows }: { reviewId: string; after: ReleaseRow | undefined; rows: number },
): Promise<ReleaseRow[]> {
  const place = [after?.created_at, after?.release_id];
  return database.page(scope, {
    name: 'releases.page_review_releases',
    args: [reviewId, ...place.map((value) => value ?? null), rows],
  });
}
