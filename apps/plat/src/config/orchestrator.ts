import type { Environment } from '../environment';
import { ownName } from '../own-account';
import { isMapping } from './config-document';
import { readConfig } from './config-file';
import { contractVariables } from './contract-variables';

/** The orchestrator whose session this process belongs to. Spec: Client, PLAT_ORCHESTRATOR_ID. */
export interface Orchestrator {
  id: string;
  /** Its environments, each as `<tenant>-<env>`; empty if the user's configuration does not name the orchestrator. */
  environments: string[];
}

/**
 * The id of the session's orchestrator; undefined for a transient session. It comes from the variable alone.
 *
 * @throws Failure INVALID_VARIABLES
 */
export function orchestratorId(environment: Environment): string | undefined {
  return contractVariables(environment, ['PLAT_ORCHESTRATOR_ID']).PLAT_ORCHESTRATOR_ID;
}

/**
 * The orchestrator, with its environments from the list `orchestrators` of the user's configuration.
 *
 * @throws Failure INVALID_VARIABLES, CONFIG_UNREADABLE
 */
export async function readOrchestrator(environment: Environment): Promise<Orchestrator | undefined> {
  const id = orchestratorId(environment);
  if (id === undefined) return undefined;
  const { orchestrators } = await readConfig(environment.configFolder);
  const all: unknown[] = Array.isArray(orchestrators) ? orchestrators : [];
  const entry = all.filter(isMapping).find((one) => one.id === id);
  const environments: unknown[] = Array.isArray(entry?.environments) ? entry.environments : [];
  return { id, environments: environments.filter((one) => typeof one === 'string') };
}

/** Who holds a lease or a gate run if no one is named: the session's orchestrator, otherwise the person. */
export function holderName(environment: Environment): string {
  const id = orchestratorId(environment);
  return id === undefined ? ownName() : `orchestrator ${id}`;
}
