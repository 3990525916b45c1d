import type { Table } from '../terminal/table';
import type { Reconciliation } from './reconcile-bypass';

/** One line for each push that bypassed the rules: verdict, actor, time, and what accounts for it. */
export function reconciliationTable({ pushes, targetBranch }: Reconciliation): Table {
  return {
    columns: [
      'VERDICT',
      'ACTOR',
      { title: 'PUSHED', as: 'time' },
      { title: 'COMMIT', as: 'commit' },
      { title: 'ACCOUNTED BY', as: 'elastic' },
    ],
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
