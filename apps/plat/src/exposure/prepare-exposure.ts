import { resolve } from 'node:path';
import {
  describeFault,
  dns01Faults,
  type Dns01Flags,
  type EnvConfig,
  type EnvironmentName,
  type ExposingPlatform,
  type ExposurePlan,
  type Fault,
  hostnameFault,
  planExposure,
  serviceFault,
  servicePort,
  targetIpFault,
} from '@plat/environments';
import { expectContext } from '../cluster/contexts';
import { requireKubectl } from '../cluster/kubectl-version';
import { chooseConfiguredEnvironment } from '../environments/chosen-environment';
import { checkedName, fullName } from '../environments/environment-choice';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkTokenFile, readTokenFile } from './broker-token';
import { recordPlatform } from './dns-alias';
import { invalidFlags, type PlatformRequest, projectPlatform } from './project-platform';
import { platformContext } from './record';

/** An exposure as a command asks for it: nothing of it is checked. */
export interface ExposureRequest extends PlatformRequest {
  name: EnvironmentName;
  service: string;
  ip: string | undefined;
  port: string;
  noTls: boolean;
  dns01: Dns01Flags;
  aliasName: string | undefined;
  openPlatform(aliasName: string | undefined): Promise<Platform>;
  /** With `--dry-run`, which reads no secret. */
  isDryRun: boolean;
  interrupted: AbortSignal;
}

/** An exposure of which everything is checked that can be checked without a change. */
export interface PreparedExposure {
  plan: ExposurePlan;
  /** Writes the record; undefined on the direct path. */
  platform: Platform | undefined;
  /** The broker token; undefined if no certificate is provisioned, and in a dry run. */
  token: string | undefined;
  /** Sentences about the configuration. */
  warnings: string[];
}

/**
 * Checks what an exposure needs, before any write, in the order of Rule H12.
 *
 * @returns undefined if the project has no platform block and that is no failure
 * @throws Failure INVALID_NAME, INVALID_SERVICE; those of projectPlatform; INVALID_FLAG; NOT_CONFIGURED,
 *   CONTEXT_NOT_CONFIGURED, CONTEXT_NOT_FOUND and others of kubectl; DNS01_TOKEN_EXPOSED, DNS01_TOKEN_UNREADABLE; those
 *   of recordPlatform
 */
export async function prepareExposure(request: ExposureRequest): Promise<PreparedExposure | undefined> {
  const { environment, service, interrupted, noTls, isDryRun } = request;
  const { configFolder } = environment;
  const name = checkedName(request.name);
  requireService(name, service);
  const exposing = await projectPlatform(request);
  if (exposing === undefined) return undefined;
  requireHostname(name, service, exposing);
  const { targetIp, port, dns01 } = checkedFlags(request);
  const { config, warnings } = await chooseConfiguredEnvironment(configFolder, name);
  const kubernetesContext = await targetContext(name, config, interrupted);
  const { tokenFile } = dns01;
  if (tokenFile !== undefined) await checkTokenFile(tokenFile);
  const platform = await recordPlatform({
    configFolder,
    config,
    named: request.aliasName,
    isOverridden: exposing.isOverridden,
    open: request.openPlatform,
  });
  const plan = planExposure({
    name,
    service,
    platform: exposing,
    platformContext: platform ? undefined : await platformContext(configFolder, exposing.name, interrupted),
    kubernetesContext,
    hasAlias: platform !== undefined,
    targetIp,
    servicePort: port,
    noTls,
    dns01,
  });
  const needsToken = plan.certificate !== undefined && tokenFile !== undefined && !isDryRun;
  return {
    plan,
    platform,
    token: needsToken ? await readTokenFile(tokenFile) : undefined,
    warnings: [...warnings, ...doubts(plan, config, dns01)],
  };
}

/** Lists the choices that are no fault, but are probably not meant. */
function doubts(plan: ExposurePlan, { mcpEnabled }: EnvConfig, dns01: Dns01Flags): string[] {
  const found: string[] = [];
  if (plan.service === 'mcp' && mcpEnabled === false) {
    found.push(`mcpEnabled is false in the configuration, so there is no Service ${plan.backendService}.`);
  }
  const isGiven = Object.values(dns01).some((value) => value !== undefined);
  if (plan.tls.tlsEnabled && plan.certificate === undefined && isGiven) {
    found.push(
      "The platform's own environment has its certificate from the edge: the DNS-01 flags are not used.",
    );
  }
  return found;
}

function requireService({ tenant }: EnvironmentName, service: string): void {
  const fault = serviceFault(tenant, service);
  if (fault === undefined) return;
  throw invalidService(fault);
}

function requireHostname(name: EnvironmentName, service: string, { servicesZone }: ExposingPlatform): void {
  const fault = hostnameFault(name, service, servicesZone);
  if (fault !== undefined) throw invalidService(fault);
}

function invalidService(fault: Fault): Failure {
  return new Failure('INVALID_SERVICE', `${describeFault(fault)}.`, {
    next: 'name the service as its chart does, without the tenant: mcp for <tenant>-mcp',
  });
}

/** The flags of a request, with paths made absolute. @throws Failure INVALID_FLAG */
function checkedFlags({ ip, port, dns01, folder }: ExposureRequest) {
  const ipFault = targetIpFault(ip);
  if (ip === undefined || ipFault !== undefined) throw invalidFlags([ipFault ?? { field: '--ip', why: '' }]);
  const number = servicePort(port);
  if (number === undefined) {
    throw invalidFlags([{ field: '--port', value: port, why: 'is no port from 1 to 65535' }]);
  }
  const faults = dns01Faults(dns01);
  if (faults.length > 0) throw invalidFlags(faults);
  const tokenFile = dns01.tokenFile === undefined ? undefined : resolve(folder, dns01.tokenFile);
  return { targetIp: ip, port: number, dns01: { ...dns01, tokenFile } };
}

/** The context of the environment's cluster: the current one is none. Rule H12. */
async function targetContext(
  name: EnvironmentName,
  { kubernetesContext }: EnvConfig,
  interrupted: AbortSignal,
): Promise<string> {
  if (kubernetesContext === undefined) {
    const { tenant, environment } = name;
    const message = `The configuration of ${fullName(name)} names no context, so its cluster is not known.`;
    throw new Failure('CONTEXT_NOT_CONFIGURED', message, {
      next: nextStep(
        'plat config set kubernetesContext <context> --tenant',
        [tenant],
        '--environment',
        [environment],
        ', then repeat the command',
      ),
    });
  }
  await requireKubectl(interrupted);
  return expectContext(kubernetesContext, interrupted);
}
