import type { Build } from '@plat/contracts/builds';
import type { BuildRow } from './build.queries';

/** The response for a row, without unset fields. A build never changes, so `updatedAt` equals `createdAt`. */
export function toBuild(row: BuildRow): Build {
  return {
    buildId: row.build_id,
    tenantId: row.tenant_id,
    reviewId: row.review_id ?? undefined,
    reviewName: row.review_name ?? undefined,
    environmentId: row.environment_id ?? undefined,
    environmentName: row.environment_name ?? undefined,
    kind: row.kind,
    successful: row.successful,
    commitId: row.commit_id,
    version: row.version ?? undefined,
    failureDetail: row.failure_detail ?? undefined,
    vouched: row.vouched ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.created_at,
  };
}
