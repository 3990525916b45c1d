import type { ReleaseStatus } from '@plat/contracts/core';
import type { CreateRelease, ReleaseFilters } from '@plat/contracts/releases';
import type { Database, TenantScope } from '@plat/database';

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
 * Queues the release of a commit, or finds the one that it has; `created` tells which.
 *
 * @throws NOT_FOUND for a review that is not the tenant's
 */
export function enqueueRelease(
  database: Database,
  scope: TenantScope,
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
  return database.call(scope, {
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

export function listReleases(
  database: Database,
  scope: TenantScope,
  { targetBranch, reviewId, status }: ReleaseFilters,
): Promise<ReleaseRow[]> {
  const args = [targetBranch, reviewId, status].map((value) => value ?? null);
  return database.call(scope, { name: 'releases.list_releases', args });
}

/** @throws NOT_FOUND for a review that is not visible */
export function listReviewReleases(
  database: Database,
  scope: TenantScope,
  reviewId: string,
): Promise<ReleaseRow[]> {
  return database.call(scope, { name: 'releases.list_review_releases', args: [reviewId] });
}
