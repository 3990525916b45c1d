import type { EnvironmentName, PortBlock } from '@plat/environments';

/** The channels of an environment, by the names of their folders. Spec: Client, Port-forward state file. */
export const CHANNELS = ['mcp', 'sshd', 'api'] as const;
export type Channel = (typeof CHANNELS)[number];

const SERVICE_SUFFIX: Readonly<Record<Channel, string>> = { mcp: 'mcp', sshd: 'ssh', api: 'api' };

/** The end of a channel: the Service, and the port that is the same on both sides. Rules H5, H9. */
export function channelEnd(
  channel: Channel,
  { tenant }: Pick<EnvironmentName, 'tenant'>,
  block: PortBlock,
): { service: string; port: number } {
  return { service: `${tenant}-${SERVICE_SUFFIX[channel]}`, port: block[channel] };
}
