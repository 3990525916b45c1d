import { dirname, join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { scopedConfigPath } from '../config/config-scope';
import { podTokenArgs, readPodToken } from '../mcp/pod-token';
import { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';
import type { RuntimePlace } from './runtime-deployment';

const FILE = 'mcp-token';

/** How an agent on this machine reaches the MCP server of an environment. */
export interface McpAccess {
  url: string;
  /** The file with the bearer token, which only its owner can read. */
  tokenPath: string;
}

/** Where `plat open` writes the token: the environment's folder of the configuration, which goes with it. */
function tokenPath(configFolder: string, { name }: RuntimePlace): string {
  return join(dirname(scopedConfigPath(configFolder, name)), FILE);
}

/**
 * Hands the token of the pod's MCP server to the person. Best effort, as the forwards are. Rule H8.
 *
 * @returns the access, or a warning
 */
export async function handMcpToken(
  { configFolder, port }: { configFolder: string; port: number },
  place: RuntimePlace,
): Promise<McpAccess | string> {
  const { tenant, environment } = place.name;
  try {
    const token = await readPodToken(place.cluster, place.names);
    if (token === undefined) {
      return `warning: the MCP server of the pod has no token for callers: plat deploy ${tenant} ${environment} makes one.`;
    }
    const path = tokenPath(configFolder, place);
    await writeInPrivateFolder(path, `${token}\n`);
    return { url: `http://127.0.0.1:${port}/mcp`, tokenPath: path };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return `warning: the token of the MCP server was not read: ${error.message}`;
  }
}

/** The step of a dry run. */
export function plannedMcpToken(configFolder: string, place: RuntimePlace): string {
  const read = shellQuote(place.cluster.kubectl.argv(podTokenArgs(place.names)));
  return `${read} # the token, to ${tokenPath(configFolder, place)}`;
}
