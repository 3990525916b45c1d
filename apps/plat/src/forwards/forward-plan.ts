import { dirname, join } from 'node:path';
import { type EnvConfig, type EnvironmentName, namespaceOf, type PortBlock } from '@plat/environments';
import {
  type Channel,
  channelEnd,
  CHANNELS,
  type ForwardRecord,
  type ForwardStart,
  logPathOf,
  recordPath,
} from '@plat/forwards';

/** The forward that an environment should have on a channel. */
export interface PlannedForward {
  channel: Channel;
  /** Path of the record. */
  path: string;
  /** What the record says; without the process. */
  record: ForwardRecord;
  start: ForwardStart;
}

/** An environment with what its forwards depend on. */
export interface ForwardedEnvironment {
  name: EnvironmentName;
  config: EnvConfig;
  configFolder: string;
  kubernetesContext: string;
  ports: PortBlock;
}

/** The forwards of an environment; without MCP server there is none to it. Decisions H5, H9. */
export function plannedForwards(environment: ForwardedEnvironment): PlannedForward[] {
  const { name, config, configFolder, kubernetesContext, ports } = environment;
  const namespace = namespaceOf(name);
  const channels = CHANNELS.filter((channel) => channel !== 'mcp' || config.mcpEnabled !== false);
  return channels.map((channel) => {
    const { service, port } = channelEnd(channel, name, ports);
    const path = recordPath(configFolder, name, channel);
    const { tenant, environment: own } = name;
    const record: ForwardRecord = {
      tenant,
      environment: own,
      kubernetesContext,
      namespace,
      localPort: port,
      logPath: logPathOf(path),
    };
    const start = { namespace, service, localPort: port, port, context: kubernetesContext, state: path };
    return { channel, path, record, start };
  });
}

/** The daemon's program, in the client's own package beside the one that runs. */
export function daemonProgram(clientRoot: string): string {
  return join(clientRoot, 'portforward.js');
}

/** The client's folder in the user's cache folder, in which an earlier client kept the records. */
export function cacheFolderOf(variables: Readonly<Record<string, string | undefined>>, home: string): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'plat');
  if (process.platform === 'win32') return join(variables.LOCALAPPDATA ?? dirname(home), 'plat');
  const base = variables.XDG_CACHE_HOME?.startsWith('/') ? variables.XDG_CACHE_HOME : join(home, '.cache');
  return join(base, 'plat');
}
