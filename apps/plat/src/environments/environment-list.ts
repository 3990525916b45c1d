import {
  type EnvConfig,
  type EnvironmentName,
  type LastStop,
  namespaceOf,
  type PortBlock,
  portBlock,
} from '@plat/environments';
import { type Channel, type ForwardRecord, readRecord, recordPath } from '@plat/forwards';
import { checkConfiguration, placed, readEnvConfig } from '../config/config-check';
import { scopedConfigPath } from '../config/config-scope';
import { type Orchestrator, readOrchestrator } from '../config/orchestrator';
import type { Environment } from '../environment';
import { type ListedForward, listForwards } from '../forwards/listed-forward';
import { Failure } from '../terminal/failure';
import { choiceFacts } from './chosen-environment';
import { effectiveEnvironment } from './environment-choice';
import { readOwnStop } from './own-stop';

/** A forward of which there is a readable record. */
export type RecordedForward = ForwardRecord & Pick<ListedForward, 'state'>;

/** An environment of the configuration. */
export interface ListedEnvironment extends EnvironmentName {
  namespace: string;
  /** Absent if the file has a fault. */
  type?: EnvConfig['type'] | undefined;
  /** Absent: the kubeconfig's current one. */
  kubernetesContext?: string | undefined;
  ports?: PortBlock | undefined;
  localRepoPath?: string | undefined;
  alias?: string | undefined;
  environmentId?: string | undefined;
  runtimeVersion?: string | undefined;
  /** Whether it is the default environment of the default tenant. */
  isDefault: boolean;
  /** Whether a command without names means it. */
  isEffective: boolean;
  /** `plat stop` stopped it, or it stopped itself. */
  isStopped: boolean;
  /** When and why it last stopped itself; only of a managed cloud. Rule H15. */
  lastStop?: LastStop | undefined;
  /** Why its cluster did not say whether it stopped itself. */
  clusterFault?: string | undefined;
  /** The recorded forwards, each with its state as in `plat forwards list`; a channel without one is absent. */
  forwards: Partial<Record<Channel, RecordedForward>>;
  /** Everything that is wrong with its file, a line each. */
  faults: string[];
}

/** The result of `plat list`. Rule H11. */
export interface EnvironmentList {
  configFolder: string;
  defaultTenant?: string | undefined;
  /** The default environment of the default tenant. */
  defaultEnvironment?: string | undefined;
  /** The environment that a command without names means; in a pod it need not be one of the list. Rule H2. */
  effective?: EnvironmentName | undefined;
  /** The orchestrator of this process's session, with its environments; absent in a transient one. */
  orchestrator?: Orchestrator | undefined;
  environments: ListedEnvironment[];
}

/**
 * The environments of this machine's configuration. A file with a fault is listed with it. Rule H11.
 *
 * @param folder the working folder
 */
export async function listEnvironments(
  environment: Environment,
  folder: string,
  interrupted: AbortSignal,
): Promise<EnvironmentList> {
  const { configFolder } = environment;
  const facts = await choiceFacts(environment, folder);
  const { defaultTenant, defaultEnvironments, known } = facts;
  const defaultEnvironment = defaultTenant === undefined ? undefined : defaultEnvironments[defaultTenant];
  const effective = effectiveEnvironment(facts);
  const report = await checkConfiguration(configFolder, configFolder);
  const forwards = await listForwards(configFolder);
  const environments = await Promise.all(
    known.map(async ({ tenant, environment: own }): Promise<ListedEnvironment> => {
      const name = { tenant, environment: own };
      const path = scopedConfigPath(configFolder, name);
      const faults = report.faults.filter((fault) => fault.path === path).map(placed);
      const config = await configOf(configFolder, name);
      const { isStopped = config?.stopped === true, ...stop } = await readOwnStop(name, config, interrupted);
      return {
        ...name,
        namespace: namespaceOf(name),
        ...configured(config),
        ...stop,
        isStopped,
        isDefault: tenant === defaultTenant && own === defaultEnvironment,
        isEffective: tenant === effective?.tenant && own === effective.environment,
        forwards: await forwardsOf(configFolder, name, forwards),
        faults,
      };
    }),
  );
  const orchestrator = await readOrchestrator(environment);
  return { configFolder, defaultTenant, defaultEnvironment, effective, orchestrator, environments };
}

async function configOf(configFolder: string, name: EnvironmentName): Promise<EnvConfig | undefined> {
  try {
    return (await readEnvConfig(configFolder, name)).config;
  } catch (error) {
    // One of the list's faults.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function configured(config: EnvConfig | undefined) {
  const { type, kubernetesContext, localPortRangeStart: start, localRepoPath } = config ?? {};
  return {
    type,
    kubernetesContext,
    ports: start === undefined ? undefined : portBlock(start),
    localRepoPath,
    alias: config?.alias,
    environmentId: config?.environmentId,
    runtimeVersion: config?.runtimeVersion,
  };
}

async function forwardsOf(
  configFolder: string,
  { tenant, environment }: EnvironmentName,
  listed: readonly ListedForward[],
) {
  const found: ListedEnvironment['forwards'] = {};
  for (const { channel, state } of listed.filter(
    (one) => one.tenant === tenant && one.environment === environment,
  )) {
    const { record } = await readRecord(recordPath(configFolder, { tenant, environment }, channel));
    if (record !== undefined) found[channel] = { ...record, state };
  }
  return found;
}
