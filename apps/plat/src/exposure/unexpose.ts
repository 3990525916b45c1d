import { type EnvConfig, type EnvironmentName, planRecord, type RecordPlan } from '@plat/environments';
import { requireKubectl } from '../cluster/kubectl-version';
import { readEnvConfig } from '../config/config-check';
import { checkedName } from '../environments/environment-choice';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { recordPlatform } from './dns-alias';
import { deleteRecord, plannedCalls } from './hostname-record';
import { type PlatformRequest, projectPlatform } from './project-platform';
import { changeRecord, platformContext, stepLine } from './record';

/** The removal of a public name as a command asks for it: nothing of it is checked. */
export interface UnexposeRequest extends PlatformRequest {
  name: EnvironmentName;
  aliasName: string | undefined;
  openPlatform(aliasName: string | undefined): Promise<Platform>;
  interrupted: AbortSignal;
}

/** The removed record, and the path of its removal. */
export interface UnexposeResult extends EnvironmentName {
  namespace: string;
  servicesZone: string;
  wildcardName: string;
  platformNamespace: string;
  dnsPath: RecordPlan['dnsPath'];
}

/** A removal of which everything is checked that can be checked without a change. */
export interface PreparedUnexpose {
  plan: RecordPlan;
  /** Removes the record; undefined on the direct path. */
  platform: Platform | undefined;
  interrupted: AbortSignal;
}

/**
 * Checks what the removal needs. The environment need not be configured any more. Spec: Client, plat unexpose.
 *
 * @returns undefined if the project has no platform block and that is no failure
 * @throws Failure INVALID_NAME; those of projectPlatform, recordPlatform and kubectl
 */
export async function prepareUnexpose(request: UnexposeRequest): Promise<PreparedUnexpose | undefined> {
  const { environment, interrupted } = request;
  const { configFolder } = environment;
  const name = checkedName(request.name);
  const exposing = await projectPlatform(request);
  if (exposing === undefined) return undefined;
  const platform = await recordPlatform({
    configFolder,
    config: await ownConfig(configFolder, name),
    named: request.aliasName,
    isOverridden: exposing.isOverridden,
    open: request.openPlatform,
  });
  if (platform === undefined) await requireKubectl(interrupted);
  const plan = planRecord({
    name,
    platform: exposing,
    platformContext: platform ? undefined : await platformContext(configFolder, exposing.name, interrupted),
    hasAlias: platform !== undefined,
  });
  return { plan, platform, interrupted };
}

/** The command or the calls of the removal. */
export function plannedUnexpose({ plan, platform }: PreparedUnexpose): string[] {
  return platform ? plannedCalls(platform, 'deleteHostname') : [stepLine(plan.deleteRecord())];
}

/**
 * Removes the wildcard record, and nothing else: the ingress goes with the namespace. A record that is not there is no
 * failure. Spec: Client, plat unexpose, rules 1 and 2.
 *
 * @throws Failure those of kubectl and of deleteRecord
 */
export async function unexpose(prepared: PreparedUnexpose, progress: Progress): Promise<UnexposeResult> {
  const { plan, platform, interrupted } = prepared;
  const removal = platform ? deleteRecord(platform, plan) : changeRecord(plan.deleteRecord(), interrupted);
  await progress(`Removing the record ${plan.wildcardName}`, removal);
  return unexposeResult(plan);
}

export function unexposeResult(plan: RecordPlan): UnexposeResult {
  return {
    tenant: plan.tenant,
    environment: plan.environment,
    namespace: plan.namespace,
    servicesZone: plan.servicesZone,
    wildcardName: plan.wildcardName,
    platformNamespace: plan.platformNamespace,
    dnsPath: plan.dnsPath,
  };
}

/** @returns undefined for an environment without a configuration that can be read: only its alias would count */
async function ownConfig(configFolder: string, name: EnvironmentName): Promise<EnvConfig | undefined> {
  try {
    return (await readEnvConfig(configFolder, name)).config;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
