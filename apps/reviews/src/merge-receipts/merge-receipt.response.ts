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
    ...(row.statement_version !== null && { statementVersion: row.statement_version }),
    tenantId: row.tenant_id,
    reviewId: row.review_id,
    name: row.name,
    remoteUrl,
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    route,
    conditions: row.conditions ?? [],
    targetTip,
    ...(row.commit_id !== null && { commitId: row.commit_id }),
    ...(row.landed_commit_id !== null && { landedCommitId: row.landed_commit_id }),
    ...(row.parent_commit_id !== null && { parentCommitId: row.parent_commit_id }),
    ...(row.tree_id !== null && { treeId: row.tree_id }),
    ...(row.anchor_commit_id !== null && { anchorCommitId: row.anchor_commit_id }),
    ...(row.source_tip !== null && { sourceTip: row.source_tip }),
    ...(row.build_id !== null && { buildId: row.build_id }),
    contentVerdict,
    ...(row.content_reason !== null && { contentReason: row.content_reason }),
    ...(row.built_on_commit_id !== null && { builtOnCommitId: row.built_on_commit_id }),
    ...findingsOf(row),
    ...(row.content_judged_at !== null && { contentJudgedAt: row.content_judged_at }),
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
      ...(file !== undefined && { in: file }),
      ...(firstLine !== undefined && { firstLine }),
      ...(lastLine !== undefined && { lastLine }),
    })),
    ...(findingsLeftOut && { findingsLeftOut }),
  };
}
