import { join } from 'node:path';
import {
  type EnvConfig,
  type EnvironmentName,
  namespaceOf,
  podVariables,
  type Runtime,
  runtimeImage,
  type RuntimeNames,
  runtimeNames,
  runtimeValues,
} from '@plat/environments';
import { openCluster } from '../cluster/cluster';
import { expectContext } from '../cluster/contexts';
import { readConfig } from '../config/config-file';
import { keepPodToken } from '../mcp/pod-token';
import { randomToken } from '../mcp/token-file';
import { isOutdated, readEnvironmentSession } from '../session/environment-session';
import { Failure } from '../terminal/failure';
import {
  type DeployedSecret,
  gatewaySecret,
  mcpSecret,
  registrySecret,
  sessionSecret,
} from './deployed-secret';
import { readGatewayToken, requireTokenSource, type TokenSource } from './gateway-token';
import { gitSecret } from './git-secret';
import { imageSignIn } from './image-sign-in';

/** Folder of the runtime chart in the client's package. */
const CHART = 'chart';

/** The inputs of a deploy. */
export interface DeployRequest {
  name: EnvironmentName;
  config: EnvConfig;
  configFolder: string;
  /** The folder of docker's configuration. */
  dockerFolder: string;
  /** The client's package: its folder, in which the chart is, and its version. */
  client: { root: string; version: string };
  interrupted: AbortSignal;
}

/** A deploy of which everything is checked that can be checked without a change. */
export interface PlannedDeploy {
  name: EnvironmentName;
  names: RuntimeNames;
  /** With the context that the kubeconfig has for it. */
  config: EnvConfig & { kubernetesContext: string };
  image: string;
  /** docker's sign-in at the image's registry, as `user:password` in base64; undefined if it has none. */
  imageSignIn: string | undefined;
  chart: string;
  secrets: DeployedSecret[];
  /** Names of secrets that an earlier deploy may have written, and that nothing uses any more. */
  obsolete: string[];
  /** Sentences about what the environment lacks. */
  warnings: string[];
  interrupted: AbortSignal;
  /** The chart's values with these versions of its secrets, as JSON; a stopped environment has no replica. */
  values(versions: Readonly<Record<string, string>>, isStopped: boolean): string;
}

/**
 * Checks what a deploy needs, before anything is written: helm, the context, the place of the gateway's credential.
 * Rule H7.
 *
 * @throws Failure CONTEXT_NOT_FOUND, HELM_UNSUPPORTED, GATEWAY_TOKEN_MISSING, GIT_CREDENTIAL_UNFIT, and those of kubectl
 * and helm
 */
export async function planDeploy(request: DeployRequest): Promise<PlannedDeploy> {
  const { name, client, interrupted } = request;
  const kubernetesContext = await expectContext(request.config.kubernetesContext, interrupted);
  await requireHelm(interrupted);
  const config = { ...request.config, kubernetesContext };
  const image = runtimeImage(config, client.version);
  const signIn = await imageSignIn(image, request.dockerFolder);
  const { secrets, warnings } = await findSecrets({ ...request, config }, image, signIn);
  const runtime = {
    name,
    config,
    hostTimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    clientVersion: client.version,
    registrySecret: secrets.find(({ use }) => use === 'registry')?.name,
  };
  return {
    name,
    names: runtimeNames(name),
    config,
    image,
    imageSignIn: signIn,
    chart: join(client.root, CHART),
    secrets,
    obsolete: obsoleteSecrets(runtime, secrets),
    warnings,
    interrupted,
    values: (secretVersions, stopped) =>
      JSON.stringify(runtimeValues({ ...runtime, config: { ...config, stopped }, secretVersions })),
  };
}

/**
 * The credentials that the pod had and no longer has: they must not stay behind. The session is kept, because another
 * machine may have provisioned it.
 */
function obsoleteSecrets(runtime: Runtime, secrets: readonly DeployedSecret[]): string[] {
  const {
    gatewaySecret: gateway,
    registrySecret: registry,
    mcpSecret: mcp,
    gitSecret: git,
  } = runtimeNames(runtime.name);
  const referenced = podVariables(runtime).map(({ value }) => (typeof value === 'string' ? '' : value.name));
  const used = [...secrets.map(({ name }) => name), ...referenced];
  return [gateway, registry, mcp, git].filter((name) => !used.includes(name));
}

/** helm 3 and helm 4 have been tried. */
async function requireHelm(interrupted: AbortSignal): Promise<void> {
  const said = await openCluster({}, interrupted).helm.run(['version', '--short']);
  if (/^v[34]\./.test(said)) return;
  throw new Failure('HELM_UNSUPPORTED', `helm reports the version ${said.trim()}; 3 and 4 are supported.`, {
    next: 'install helm 3 or 4 (https://helm.sh/docs/intro/install/)',
  });
}

async function findSecrets(
  request: DeployRequest & { config: PlannedDeploy['config'] },
  image: string,
  signIn: string | undefined,
) {
  const { name, config, configFolder, interrupted } = request;
  const secrets: DeployedSecret[] = [];
  const warnings: string[] = [];
  const session = await readEnvironmentSession(configFolder, name);
  if (session === undefined) {
    warnings.push(
      `${namespaceOf(name)} has no session, so it can build but not report: plat cloud login, then plat init again.`,
    );
  } else if (config.alias !== undefined && session.alias.name !== config.alias) {
    warnings.push(
      `${namespaceOf(name)} has a session with ${session.alias.name}, but its alias is ${config.alias}: the session is not deployed. Run plat init ${name.tenant} ${name.environment} --renew-session.`,
    );
  } else {
    secrets.push(sessionSecret(name, session));
    if (await isOutdated(configFolder, session)) {
      warnings.push(
        `${namespaceOf(name)} shares a session that this machine no longer has: plat init ${name.tenant} ${name.environment} replaces it.`,
      );
    }
  }
  if (config.gateway !== undefined && config.gateway.tokenSecret === undefined) {
    const source = requireTokenSource(((await readConfig(configFolder)).gateway ?? {}) as TokenSource);
    secrets.push(gatewaySecret(name, () => readGatewayToken(source, interrupted)));
  }
  if (config.mcpEnabled !== false) {
    const names = runtimeNames(name);
    const target = { context: config.kubernetesContext, namespace: names.namespace };
    const keepToken = () => keepPodToken(openCluster(target, interrupted), names);
    secrets.push(mcpSecret(name, { keepToken, makeToken: randomToken }));
  }
  const git = await gitSecret(name, config, interrupted);
  if (git !== undefined) secrets.push(git);
  if (signIn !== undefined) secrets.push(registrySecret(name, image, signIn));
  return { secrets, warnings };
}
