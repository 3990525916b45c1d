import { CHANNELS } from '@plat/forwards';
import type { Table } from '../terminal/table';
import type { EnvironmentList, ListedEnvironment } from './environment-list';

/** The environments, one a line, with their faults and the reason of their last stop below. */
export function listTable({ environments }: EnvironmentList): Table {
  return {
    columns: [
      'TENANT',
      'ENVIRONMENT',
      'TYPE',
      { title: 'CONTEXT', as: 'elastic' },
      'PORTS',
      'FORWARDS',
      'STATE',
      { title: 'NOTES', as: 'below' },
    ],
    rows: environments.map((one) => [
      one.tenant,
      one.environment,
      one.type,
      one.kubernetesContext,
      one.ports && `${one.ports.start}-${one.ports.end}`,
      forwards(one),
      state(one),
      notes(one),
    ]),
    whenEmpty: 'No environment is configured. Next: plat init <tenant> <env>',
  };
}

function forwards({ forwards: recorded }: ListedEnvironment): string | undefined {
  const shown = CHANNELS.flatMap((channel) => {
    const one = recorded[channel];
    if (one === undefined) return [];
    const state = one.state === 'alive' ? '' : ` (${one.state})`;
    return [`${channel} ${one.localPort}${state}`];
  });
  return shown.length === 0 ? undefined : shown.join(', ');
}

function notes({ faults, lastStop, clusterFault }: ListedEnvironment): string | undefined {
  const lines = [...faults];
  if (lastStop !== undefined) lines.push(`stopped itself at ${lastStop.at}: ${lastStop.reason}`);
  if (clusterFault !== undefined) lines.push(`its cluster is not reached: ${clusterFault}`);
  return lines.length === 0 ? undefined : lines.join('\n');
}

function state({ isStopped, isEffective, isDefault, faults }: ListedEnvironment): string | undefined {
  const words = [
    isStopped && 'stopped',
    isEffective && 'in use here',
    isDefault && 'default',
    faults.length > 0 && 'faulty',
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : words.join(', ');
}
