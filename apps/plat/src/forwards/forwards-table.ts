import type { Table } from '../terminal/table';
import type { ListedForward } from './listed-forward';

/** The forwards, one a line; below, why one is not alive, and its last error. */
export function forwardsTable(forwards: readonly ListedForward[]): Table {
  return {
    columns: [
      'TENANT',
      'ENVIRONMENT',
      'CHANNEL',
      { title: 'STATE', as: 'status' },
      { title: 'PORT', as: 'number' },
      { title: 'PID', as: 'number' },
      { title: 'AGE', as: 'time' },
      { title: 'LAST SUCCESS', as: 'time' },
      { title: 'LAST ERROR', as: 'time' },
      { title: 'NOTES', as: 'below' },
    ],
    rows: forwards.map((one) => [
      one.tenant,
      one.environment,
      one.channel,
      one.state,
      one.localPort?.toString(),
      one.processId?.toString(),
      one.recordedAt,
      one.lastSuccess?.at,
      one.lastError?.at,
      [one.message, one.lastError?.message].filter((text) => text !== undefined).join('; '),
    ]),
    whenEmpty: 'There is no forward on this machine. Next: plat open',
  };
}
