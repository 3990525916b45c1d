import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';

/** The channels of an environment. Spec: Client, Port-forward state file. */
export const CHANNELS = ['mcp', 'sshd', 'api'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The record of a port forward. Spec: Client, Port-forward state file. */
export interface ForwardState extends EnvironmentName {
  kubernetesContext: string;
  /** `<tenant>-<env>` */
  namespace: string;
  /** The port that is bound on 127.0.0.1. */
  localPort: number;
  /** The state file's path with .log in place of .json. */
  logPath?: string;
  /** Id of the detached process. */
  processId?: number;
}

/** The state file of a channel. Spec: Client, Port-forward state file. */
export function forwardStatePath(configFolder: string, name: EnvironmentName, channel: Channel): string {
  return join(configFolder, 'portforward', channel, name.tenant, `${name.environment}.json`);
}

/** The record of a channel's forward. Undefined without one, and for a file that is none: `plat open` replaces it. */
export async function readForwardState(path: string): Promise<ForwardState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isForwardState(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isForwardState(value: unknown): value is ForwardState {
  if (typeof value !== 'object' || value === null) return false;
  const { tenant, environment, kubernetesContext, namespace, localPort } = value as Partial<ForwardState>;
  const texts = [tenant, environment, kubernetesContext, namespace];
  return texts.every((text) => typeof text === 'string') && Number.isInteger(localPort);
}
