import { MCP_TOKEN_KEY, type RuntimeNames } from '@plat/environments';
import type { Cluster } from '../cluster/cluster';
import { isToken, randomToken } from './token-file';

/** The arguments of kubectl that print the token of an environment's MCP server, in base64. */
export function podTokenArgs({ mcpSecret }: RuntimeNames): string[] {
  return ['get', 'secret', mcpSecret, '--ignore-not-found', '--output', `jsonpath={.data.${MCP_TOKEN_KEY}}`];
}

/**
 * The token of the MCP server in an environment's pod, from its Secret.
 *
 * @returns undefined if there is no such Secret, or no token in it
 * @throws Failure those of kubectl
 */
export async function readPodToken({ kubectl }: Cluster, names: RuntimeNames): Promise<string | undefined> {
  const printed = await kubectl.run(podTokenArgs(names));
  const token = Buffer.from(printed.trim(), 'base64').toString('utf8').trim();
  return isToken(token) ? token : undefined;
}

/** The token that the Secret has; a new one if it has none. A deploy that changed it would start the pod again. */
export async function keepPodToken(cluster: Cluster, names: RuntimeNames): Promise<string> {
  return (await readPodToken(cluster, names)) ?? randomToken();
}
