import { existsSync } from 'node:fs';
import type { EnvironmentName, PortBlock } from '@plat/environments';
import { configPath } from '../config/config-file';
import { readConfiguredNames } from '../config/config-scope';
import type { Environment } from '../environment';
import type { ForwardsToOpen } from '../forwards/open-forwards';
import { forwardProgram } from '../forwards/start-forward';
import type { ConfiguredEnvironment } from './chosen-environment';
import type { RuntimePlace } from './runtime-deployment';

/** Inputs that determine which forwards an environment needs. */
export interface ForwardSource {
  environment: Environment;
  /** The folder of the client's package. */
  clientRoot: string;
  chosen: ConfiguredEnvironment;
  ports: PortBlock;
  interrupted: AbortSignal;
}

/** The forwards of an environment of the configuration. */
export async function forwardsToOpen(source: ForwardSource, place: RuntimePlace): Promise<ForwardsToOpen> {
  const { environment, clientRoot, chosen, ports, interrupted } = source;
  const { configFolder, cacheFolder } = environment;
  const { name, kubernetesContext } = place;
  return {
    environment: { configFolder, name, kubernetesContext, ports, mcpEnabled: chosen.config.mcpEnabled },
    cacheFolder,
    known: await listInitializedNames(configFolder),
    program: forwardProgram(clientRoot),
    hasService: (service) => hasService(place, service),
    interrupted,
  };
}

/**
 * Every environment of the configuration. Spec: Client, Log retention and cleanup, rule 5. Rule H3.
 *
 * @returns undefined if the user's own file is not there, so that the configuration counts as never made
 */
async function listInitializedNames(configFolder: string): Promise<EnvironmentName[] | undefined> {
  if (!existsSync(configPath(configFolder))) return undefined;
  return (await readConfiguredNames(configFolder)).environments;
}

async function hasService({ cluster }: RuntimePlace, service: string): Promise<boolean> {
  const args = ['get', 'service', service, '--ignore-not-found', '--output', 'name'];
  const answer = await cluster.kubectl.try(args);
  // A cluster that does not say leaves the forward as it is: it finds the Service when it is there.
  return answer.code !== 0 || answer.stdout.trim() !== '';
}
