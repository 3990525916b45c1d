import type { Build } from '@plat/contracts/builds';
import type { BuildRow } from './build.queries';

/** The response for a row, without unset fields. A build never changes, so `updatedAt` equals `createdAt`. */
export function toBuild(row: BuildRow): Build {
  return {
    buildId: row.build_id,
    tenantId: row.tenant_id,
    ...(row.review_id !== null && { reviewId: row.review_id, reviewName: row.review_name! }),
    ...(row.environment_id !== null && {
      environmentId: row.environment_id,
      environmentName: row.environment_name!,
    }),
    kind: row.kind,
    successful: row.successful,
    commitId: row.commit_id,
    ...(row.version !== null && { version: row.version }),
    ...(row.failure_detail !== null && { failureDetail: row.failure_detail }),
    createdAt: row.created_at,
    updatedAt: row.created_at,
  };
}
