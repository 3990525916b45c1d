import type { Table } from '../terminal/table';
import type { Reconciliation } from './reconcile-bypass';

/** One line a push that bypassed the rules: its verdict, who, when, and what accounts for it. */
export function reconciliationTable({ pushes, targetBranch }: Reconciliation): Table {
  return {
    columns: ['VERDICT', 'ACTOR', 'PUSHED', 'COMMIT', 'ACCOUNTED BY'],
    rows: pushes.map(({ verdict, actor, pushedAt, afterCommit, gateRunId, tag }) => [
      verdict,
      actor,
      pushedAt,
      afterCommit,
      gateRunId === undefined ? tag && `tag ${tag}` : `gate run ${gateRunId}`,
    ]),
    whenEmpty: `No push to ${targetBranch} bypassed its rules.`,
  };
}
