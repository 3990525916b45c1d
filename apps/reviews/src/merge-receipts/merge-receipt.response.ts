import { STATEMENT_VERSION } from '@plat/contracts/core';
import type { MergeStatement } from '@plat/contracts/reviews';
import type { MergeReceiptRow } from './merge-receipt.queries';

/**
 * The statement that is signed: a row's fields in the order of the contract, without unset fields. The same row always
 * gives the same bytes, and Ed25519 the same signature over them.
 *
 * @returns undefined when the row holds no verification
 */
export function toStatement(row: MergeReceiptRow): MergeStatement | undefined {
  const { route, remote_url: remoteUrl, target_tip: targetTip, verified_at: verifiedAt } = row;
  const { content_verdict: contentVerdict } = row;
  if (!route || !remoteUrl || !targetTip || !verifiedAt || !contentVerdict) return undefined;
  return {
    statementVersion: STATEMENT_VERSION,
    tenantId: row.tenant_id,
    reviewId: row.review_id,
    name: row.name,
    remoteUrl,
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    route,
    conditions: row.conditions ?? [],
    targetTip,
    commitId: row.commit_id ?? undefined,
    landedCommitId: row.landed_commit_id ?? undefined,
    parentCommitId: row.parent_commit_id ?? undefined,
    treeId: row.tree_id ?? undefined,
    anchorCommitId: row.anchor_commit_id ?? undefined,
    sourceTip: row.source_tip ?? undefined,
    buildId: row.build_id ?? undefined,
    contentVerdict,
    contentReason: row.content_reason ?? undefined,
    builtOnCommitId: row.built_on_commit_id ?? undefined,
    ...findingsOf(row),
    contentJudgedAt: row.content_judged_at ?? undefined,
    verifiedAt,
  };
}

/** Puts the fields in the order of the contract, since jsonb does not keep the order. */
function findingsOf({
  content_findings: findings,
  content_findings_left_out: findingsLeftOut,
}: MergeReceiptRow): Pick<MergeStatement, 'findings' | 'findingsLeftOut'> {
  if (!findings || findings.length === 0) return {};
  return {
    findings: findings.map(({ kind, path, in: file, firstLine, lastLine }) => ({
      kind,
      path,
      in: file,
      firstLine,
      lastLine,
    })),
    findingsLeftOut: findingsLeftOut || undefined,
  };
}
