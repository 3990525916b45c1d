import type { GateRun, GateRunPage } from '@plat/api-client';
import { fieldLines } from '../terminal/field-lines';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';

/** Gate runs, one a line. */
export function gateRunTable({ gateRuns }: GateRunPage): Table {
  return {
    columns: [
      { title: 'GATE RUN', as: 'id' },
      { title: 'VERDICT', as: 'status' },
      { title: 'SOURCE', as: 'elastic' },
      { title: 'MERGE', as: 'commit' },
      'TARGET',
      { title: 'REVIEW', as: 'elastic' },
      { title: 'DETAIL', as: 'below' },
      { title: 'SINCE', as: 'time' },
      { title: 'HOLDER', as: 'elastic' },
    ],
    rows: gateRuns.map((run) => [
      run.gateRunId,
      run.verdict,
      run.sourceBranch,
      run.mergeCommit,
      run.targetBranch,
      run.reviewName,
      run.failingStep,
      run.createdAt,
      run.holder,
    ]),
    whenEmpty: 'No gate run matches.',
  };
}

/** One gate run with all its fields, one a line. */
export function gateRunDetails(run: GateRun): string {
  return fieldLines(run, new Date());
}

/** The latest change of a gate run, in one line. */
export function gateRunLine({ gateRunId, verdict, sourceBranch, targetBranch }: GateRun): string {
  return printableLine(`${gateRunId} is ${verdict}: ${sourceBranch} onto ${targetBranch}`);
}
