import type { Release } from '@plat/contracts/releases';
import type { ReleaseRow } from './release.queries';

/** The response for a row, without unset fields. */
export function toRelease(row: ReleaseRow): Release {
  return {
    releaseId: row.release_id,
    tenantId: row.tenant_id,
    reviewId: row.review_id ?? undefined,
    targetBranch: row.target_branch,
    commitId: row.commit_id,
    status: row.status,
    attempt: row.attempt,
    version: row.version ?? undefined,
    buildId: row.build_id ?? undefined,
    failureReason: row.failure_reason ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
