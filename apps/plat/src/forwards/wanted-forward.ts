import { type EnvironmentName, namespaceOf, type PortBlock } from '@plat/environments';
import {
  type Channel,
  channelEnd,
  CHANNELS,
  type ForwardRecord,
  type ForwardTarget,
  logPathOf,
  recordPath,
} from '@plat/forwards';

/** The forward that `plat open` wants for a channel of an environment. */
export interface WantedForward {
  configFolder: string;
  channel: Channel;
  /** The content of its state file, without a process. */
  record: ForwardRecord & { logPath: string };
  /** The state file. */
  path: string;
  /** The target that a process has to forward to be this forward. Rule H9. */
  target: ForwardTarget;
}

/** The environment whose forwards are wanted. */
export interface ForwardedEnvironment {
  configFolder: string;
  name: EnvironmentName;
  kubernetesContext: string;
  ports: Pick<PortBlock, Channel>;
  /** Default true. */
  mcpEnabled?: boolean | undefined;
}

/** The forwards of an environment; none to MCP if its pod does not serve it. Spec: Client, Port-forward patterns. */
export function wantedForwards(environment: ForwardedEnvironment): WantedForward[] {
  const channels = CHANNELS.filter((channel) => channel !== 'mcp' || environment.mcpEnabled !== false);
  return channels.map((channel) => wantedForward(environment, channel));
}

function wantedForward(
  { configFolder, name, kubernetesContext, ports }: ForwardedEnvironment,
  channel: Channel,
): WantedForward {
  const { tenant, environment } = name;
  const path = recordPath(configFolder, name, channel);
  const namespace = namespaceOf(name);
  const localPort = ports[channel];
  return {
    configFolder,
    channel,
    record: { tenant, environment, kubernetesContext, namespace, localPort, logPath: logPathOf(path) },
    path,
    target: targetOf(channel, { tenant, namespace, localPort }),
  };
}

/** Returns the target of a record's forward: one port number on both sides. Spec: Client, Port-forward patterns. */
export function targetOf(
  channel: Channel,
  { tenant, namespace, localPort }: Pick<ForwardRecord, 'tenant' | 'namespace' | 'localPort'>,
): ForwardTarget {
  const ports = { start: localPort, end: localPort, mcp: localPort, sshd: localPort, api: localPort };
  const { service, port } = channelEnd(channel, { tenant }, ports);
  return { namespace, service, localPort, port };
}
