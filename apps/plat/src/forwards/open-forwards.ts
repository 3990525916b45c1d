import { homedir } from 'node:os';
import { moveFromCache, reclaimForwards } from '@plat/forwards';
import type { ClusterTool } from '../cluster/cluster';
import { configuredNames, hasConfiguration } from '../config/config-scope';
import type { Environment } from '../environment';
import { cacheFolderOf, daemonProgram, type ForwardedEnvironment, plannedForwards } from './forward-plan';
import { type ChannelResult, reconcile } from './reconcile';

export type Channels = Partial<Record<'mcp' | 'sshd' | 'api', ChannelResult>>;

/** What the forwards of an environment need beside it. */
export interface ForwardSurroundings {
  environment: Environment;
  /** The folder of the client's package. */
  clientRoot: string;
  kubectl: ClusterTool;
}

/**
 * Makes the forwards of an environment, all channels at once. Each is best effort: a failed one is a result. First it
 * moves what an earlier client kept, and removes what is left of environments that the configuration does not have.
 * Decision H8; Spec: Client, Log retention and cleanup, rule 4.
 */
export async function openForwards(
  opened: ForwardedEnvironment,
  { environment, clientRoot, kubectl }: ForwardSurroundings,
): Promise<Channels> {
  const { configFolder } = environment;
  const cacheFolder = cacheFolderOf(environment.variables, environment.variables.HOME || homedir());
  await moveFromCache({ cacheFolder, configFolder }, opened.name);
  // What cannot be cleaned up today can be another day.
  await reclaim(configFolder).catch(() => undefined);
  const services = lazily(() => servicesOf(kubectl));
  const input = {
    configFolder,
    program: daemonProgram(clientRoot),
    missing: async ({ start }: { start: { service: string; namespace: string } }) => {
      const known = await services();
      if (known === undefined || known.has(start.service)) return undefined;
      return `there is no Service ${start.service} in ${start.namespace}`;
    },
  };
  const results = await Promise.all(
    plannedForwards(opened).map(async (forward) => {
      const result = await reconcile(forward, input).catch((error: unknown): ChannelResult => {
        const { localPort, logPath = '' } = forward.record;
        return { outcome: 'failed', localPort, logPath, message: (error as Error).message };
      });
      return [forward.channel, result] as const;
    }),
  );
  return Object.fromEntries(results);
}

async function reclaim(configFolder: string): Promise<void> {
  const isInitialized = await hasConfiguration(configFolder);
  const known = isInitialized ? (await configuredNames(configFolder)).environments : undefined;
  await reclaimForwards(configFolder, known);
}

/** The names of the namespace's Services; undefined if kubectl could not list them. */
async function servicesOf(kubectl: ClusterTool): Promise<Set<string> | undefined> {
  const { code, stdout } = await kubectl.try(['get', 'services', '--output', 'name']);
  if (code !== 0) return undefined;
  return new Set(stdout.split('\n').map((line) => line.trim().replace(/^service\//, '')));
}

function lazily<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read());
}
