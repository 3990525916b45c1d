import type { Release } from '@plat/contracts/releases';
import type { ReleaseRow } from './release.queries';

/** The response for a row, without unset fields. */
export function toRelease(row: ReleaseRow): Release {
  return {
    releaseId: row.release_id,
    tenantId: row.tenant_id,
    ...(row.review_id !== null && { reviewId: row.review_id }),
    targetBranch: row.target_branch,
    commitId: row.commit_id,
    status: row.status,
    attempt: row.attempt,
    ...(row.version !== null && { version: row.version }),
    ...(row.build_id !== null && { buildId: row.build_id }),
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
