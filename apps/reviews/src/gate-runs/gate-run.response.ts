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
    ...(row.merge_commit !== null && { mergeCommit: row.merge_commit }),
    ...(row.review_id !== null && { reviewId: row.review_id, reviewName: row.review_name! }),
    verdict: row.verdict,
    ...(row.failing_step !== null && { failingStep: row.failing_step }),
    ...(row.log_ref !== null && { logRef: row.log_ref }),
    ...(row.holder !== null && { holder: row.holder }),
    ...(row.creator_user_id !== null && { creatorUserId: row.creator_user_id }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
