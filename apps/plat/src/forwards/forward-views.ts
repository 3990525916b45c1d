import { CHANNEL_TITLES } from '@plat/forwards';
import { relativeTime } from '../terminal/relative-time';
import type { Table } from '../terminal/table';
import type { ListedForward } from './forward-list';

/** The forwards, one a line, with the reason of a bad state and the last error below. */
export function forwardTable(forwards: readonly ListedForward[]): Table {
  const now = new Date();
  const ago = (at: string | undefined) => (at === undefined ? undefined : relativeTime(at, now));
  return {
    columns: [
      'TENANT',
      'ENVIRONMENT',
      'CHANNEL',
      { title: 'STATE', as: 'status' },
      'PORT',
      'PID',
      'STARTED',
      'LAST SUCCESS',
      { title: 'NOTES', as: 'below' },
    ],
    rows: forwards.map((one) => [
      one.tenant,
      one.environment,
      CHANNEL_TITLES[one.channel],
      one.state,
      one.localPort?.toString(),
      one.processId?.toString(),
      ago(one.since),
      ago(one.lastSuccess?.at),
      notes(one, ago),
    ]),
    whenEmpty: 'No forward is recorded. Next: plat open [<tenant>] [<env>]',
  };
}

function notes(
  { why, lastError }: ListedForward,
  ago: (at: string) => string | undefined,
): string | undefined {
  const lines = [
    ...(why === undefined ? [] : [why]),
    ...(lastError === undefined ? [] : [`last error, ${ago(lastError.at)}: ${lastError.message}`]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}
