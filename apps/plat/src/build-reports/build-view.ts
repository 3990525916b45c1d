import type { Build } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import type { Table } from '../terminal/table';
import type { RecordedBuild } from './recorded-build';

/** The recorded build, and the review's status after it. */
export function recordedBuildText(build: RecordedBuild): string {
  const { buildId, kind, commitId, version } = build;
  const what = version === undefined ? commitId : `${commitId} as ${version}`;
  const recorded = `${buildId} is recorded: ${kind} ${outcome(build)} at ${what}`;
  const since = standing(build);
  return [recorded, ...(since === undefined ? [] : [since])].map(printableLine).join('\n');
}

function standing({
  reviewName,
  reviewStatus,
  queuePosition,
  queueLength,
  kind,
  successful,
}: RecordedBuild): string | undefined {
  if (reviewStatus === undefined) return undefined;
  const name = `"${reviewName ?? 'The review'}"`;
  if (queuePosition !== undefined) {
    return `${name} is READY, ${queuePosition} of ${queueLength} in its queue.`;
  }
  if (reviewStatus !== 'MERGE') return `${name} is ${reviewStatus}.`;
  const next =
    kind === 'GATE' && successful ? 'plat exec push, then plat review report-merged' : 'plat drive gates it';
  return `${name} holds the merge slot. Next: ${next}.`;
}

/** The outcome, which says if nothing but a person's word supports it. */
function outcome({ successful, vouched }: Pick<Build, 'successful' | 'vouched'>): string {
  if (!successful) return 'failed';
  return vouched === true ? 'succeeded (vouched for)' : 'succeeded';
}

/** The builds of a review, one a line. */
export function buildTable(builds: readonly Build[]): Table {
  return {
    columns: [
      { title: 'BUILD', as: 'id' },
      'KIND',
      { title: 'OUTCOME', as: 'status' },
      { title: 'COMMIT', as: 'commit' },
      'VERSION',
      { title: 'WHEN', as: 'time' },
      { title: 'DETAIL', as: 'below' },
    ],
    rows: builds.map((build) => [
      build.buildId,
      build.kind,
      outcome(build),
      build.commitId,
      build.version,
      build.createdAt,
      build.failureDetail?.split('\n')[0],
    ]),
    whenEmpty: 'No build was recorded for the review.',
  };
}
