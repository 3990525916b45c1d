import type { GateRun } from '@plat/contracts/reviews';
import type { GateRunRow } from './gate-run.queries';

/** The response for a row, without unset fields. */
export function toGateRun(row: GateRunRow): GateRun {
  return {
    gateRunId: row.gate_run_id,
    tenantId: row.tenant_id,
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    sourceCommit: row.source_commit,
    mergeCommit: row.merge_commit ?? undefined,
    reviewId: row.review_id ?? undefined,
    reviewName: row.review_name ?? undefined,
    verdict: row.verdict,
    failingStep: row.failing_step ?? undefined,
    logRef: row.log_ref ?? undefined,
    holder: row.holder ?? undefined,
    creatorUserId: row.creator_user_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
