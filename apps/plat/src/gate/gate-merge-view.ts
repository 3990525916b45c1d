import type { Table } from '../terminal/table';
import type { GateMerge, SkippedSource } from './gate-merge';

/** One line for each source: the result, its squash commit, and why it was skipped. */
export function gateMergeView(gate: GateMerge): Table {
  return {
    columns: [
      { title: 'SOURCE', as: 'elastic' },
      { title: 'OUTCOME', as: 'status' },
      'COMMIT',
      { title: 'DETAIL', as: 'elastic' },
    ],
    rows: [
      ...gate.merged.map(({ sourceBranch, commitId, message }) => [
        sourceBranch,
        'merged',
        commitId,
        message.split('\n')[0],
      ]),
      ...gate.skipped.map((source) => [source.sourceBranch, 'skipped', undefined, skipDetail(source)]),
    ],
    whenEmpty: 'No source was given.',
  };
}

/** The reason why a source was skipped, for a person. */
export function skipDetail({ reason, files, detail }: SkippedSource): string {
  switch (reason) {
    case 'missing':
      return 'origin has no such branch';
    case 'conflict':
      return `conflicts in ${(files ?? []).join(', ')}${detail === undefined ? '' : `: ${detail}`}`;
    case 'empty':
      return 'adds nothing';
    case 'unrelated':
      return 'shares no history with the target';
    case 'unstable':
      return `has files that git stores otherwise by their attributes, so that they are changed once they are checked out: ${(files ?? []).join(', ')} (git add --renormalize, then commit)`;
    case 'unusable':
      return `cannot be checked out (${detail ?? (files ?? []).join(', ')})`;
    case 'project-file':
      return `would leave a file that no later gate can read (${detail ?? (files ?? []).join(', ')})`;
    case 'submodule':
      return `cannot be checked out with its submodules (${detail ?? (files ?? []).join(', ')})`;
  }
}
