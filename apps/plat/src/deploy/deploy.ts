import { applyObject } from '../cluster/apply-object';
import { type Cluster, openCluster } from '../cluster/cluster';
import { clusterFailure } from '../cluster/cluster-failure';
import { readBuildVariables } from '../config/build-variables';
import { readStopped } from '../config/stopped';
import type { Environment } from '../environment';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import {
  adoptNamespace,
  CREATE_NAMESPACE,
  type DeployedNamespace,
  labelArgs,
  namespaceManifest,
  provideNamespace,
} from './deployed-namespace';
import { type DeployedSecret, type SecretContent, secretManifest } from './deployed-secret';
import { findImage, imageWarning } from './image-check';
import { type DeployRequest, planDeploy, type PlannedDeploy } from './planned-deploy';
import { isInProgress, removeDeadRevision } from './unfinished-release';

/** A deploy as a command asks for it. */
export interface EnvironmentDeploy extends Pick<DeployRequest, 'name' | 'config' | 'client' | 'interrupted'> {
  environment: Environment;
  /** Whether a namespace may be used that no deploy of this machine has made. Default false. */
  acceptNamespace?: boolean;
}

/** The result of a deploy in the cluster. */
export interface DeployResult {
  tenant: string;
  environment: string;
  kubernetesContext: string;
  namespace: string;
  release: string;
  image: string;
  /** 0 if the environment is stopped. A replica that is asked for may not run yet. */
  replicas: number;
  /** Names of the secrets that were written. */
  secrets: string[];
  warnings: string[];
}

/** The version of what was applied: it changes with the content alone. */
const APPLY_VERSION = ['apply', '--filename', '-', '--output', 'jsonpath={.metadata.resourceVersion}'];

/** The commands of a deploy, each with what it would read on stdin; no secret is read. Rule G2. */
export async function listDeployCommands(request: EnvironmentDeploy): Promise<string[]> {
  const planned = await prepare(request);
  const { secrets, config } = planned;
  const { kubectl, helm } = clusterOf(planned);
  const line = (argv: readonly string[], input: string) => `${shellQuote(argv)} # stdin: ${input}`;
  return [
    ...namespaceLines(planned),
    ...secrets.map(({ name, keys }) =>
      line(kubectl.argv(APPLY_VERSION), `Secret ${name} with ${keys.join(', ')}`),
    ),
    line(helm.argv(upgradeArgs(planned)), planned.values({}, config.stopped === true)),
    ...removals(planned).map((args) => shellQuote(kubectl.argv(args))),
  ];
}

/** Lists the commands for the namespace. Each names its condition, because a dry run does not look at the cluster. */
function namespaceLines(planned: PlannedDeploy): string[] {
  const { kubectl } = clusterOf(planned);
  const { namespace } = planned.names;
  const { environmentId } = planned.config;
  const input = namespaceManifest(namespace, environmentId, '<random>');
  const creation = `${shellQuote(kubectl.argv(CREATE_NAMESPACE))} # if it is missing, stdin: ${input}`;
  if (environmentId === undefined) return [creation];
  const label = shellQuote(kubectl.argv(labelArgs(namespace, environmentId)));
  return [creation, `${label} # if an earlier deploy has made it without the label`];
}

/**
 * Deploys an environment: its namespace, its secrets, then the runtime chart. Each step can be repeated; a deploy that
 * failed is mended by the next. Rule H7.
 *
 * @param note gets each warning
 * @throws Failure NAMESPACE_NOT_OWN, DEPLOY_IN_PROGRESS, GATEWAY_TOKEN_EXPOSED, GATEWAY_TOKEN_UNREADABLE; those of planDeploy
 */
export async function deployEnvironment({
  progress,
  note,
  ...request
}: EnvironmentDeploy & { progress: Progress; note(line: string): void }): Promise<DeployResult> {
  const planned = await prepare(request);
  const { names, config, secrets, image, name } = planned;
  const { namespace, release } = names;
  const warnings = [
    ...planned.warnings,
    ...(await progress(`Asking the registry for ${image}`, askRegistry(planned))),
  ];
  for (const warning of warnings) note(warning);
  const cluster = clusterOf(planned);
  // Before the first write: a credential that cannot be read must not leave half a deploy.
  const contents: SecretContent[] = [];
  for (const secret of secrets) contents.push(await secret.read());
  const deployed = deployedNamespace(request, planned);
  const provided = await progress(`Creating namespace ${namespace}`, provideNamespace(cluster, deployed));
  const { isOwn } = provided;
  const versions = await writeSecrets(planned, { cluster, contents, isOwn, progress });
  const foreign = await progress(
    `Labelling namespace ${namespace}`,
    adoptNamespace(cluster, deployed, provided),
  );
  if (foreign !== undefined) {
    note(foreign);
    warnings.push(foreign);
  }
  const { configFolder } = deployed;
  const isStopped = await readStopped(configFolder, name);
  await progress(`Deploying ${release}`, upgrade({ ...planned, isStopped }, cluster, versions));
  const replicas = await keepStopped(planned, { cluster, configFolder, isStopped });
  // Last, when no pod has them any more.
  for (const args of removals(planned)) {
    await progress('Removing secrets that nothing uses', cluster.kubectl.run(args));
  }
  return {
    ...name,
    kubernetesContext: config.kubernetesContext,
    namespace,
    release,
    image,
    replicas,
    secrets: secrets.map((secret: DeployedSecret) => secret.name),
    warnings,
  };
}

/** @returns the warning about the image, if there is one */
async function askRegistry({ image, imageSignIn, interrupted }: PlannedDeploy): Promise<string[]> {
  const warning = imageWarning(image, await findImage(image, imageSignIn, interrupted));
  return warning === undefined ? [] : [warning];
}

function deployedNamespace(
  { environment: { configFolder }, acceptNamespace: accepted = false }: EnvironmentDeploy,
  { name, names, config: { environmentId } }: PlannedDeploy,
): DeployedNamespace {
  return { name, names, environmentId, configFolder, accepted };
}

interface SecretWriting {
  cluster: Cluster;
  /** The contents of the planned secrets, in their order. */
  contents: readonly SecretContent[];
  /** Whether the namespace is the environment's own. If not, no value is kept that is there. */
  isOwn: boolean;
  progress: Progress;
}

/** @returns the version of each secret, by its use */
async function writeSecrets(
  { secrets, names: { namespace } }: PlannedDeploy,
  { cluster, contents, isOwn, progress }: SecretWriting,
): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const [at, secret] of secrets.entries()) {
    const content = (isOwn ? undefined : secret.renew?.()) ?? contents[at] ?? { data: {}, secrets: [] };
    versions[secret.use] = await progress(
      `Writing secret ${secret.name}`,
      applyObject(cluster, APPLY_VERSION, {
        input: secretManifest(secret, namespace, content),
        secrets: [...content.secrets, ...Object.values(content.data)],
      }),
    );
  }
  return versions;
}

function prepare({ environment, ...request }: EnvironmentDeploy): Promise<PlannedDeploy> {
  const { configFolder } = environment;
  return planDeploy({ ...request, configFolder, dockerFolder: readBuildVariables(environment).dockerFolder });
}

/**
 * Scales the environment if `plat stop` or `plat open` ran while helm did: its replicas are those of the configuration as
 * it was before.
 *
 * @returns the replicas that are asked for
 */
async function keepStopped(
  { names, name }: PlannedDeploy,
  { cluster, configFolder, isStopped }: { cluster: Cluster; configFolder: string; isStopped: boolean },
): Promise<number> {
  const isStoppedNow = await readStopped(configFolder, name);
  const replicas = isStoppedNow ? 0 : 1;
  if (isStoppedNow !== isStopped) {
    await cluster.kubectl.run(['scale', `deployment/${names.release}`, `--replicas=${replicas}`]);
  }
  return replicas;
}

/** Upgrades the release. The remains of a killed helm are removed first; another helm that runs is not disturbed. */
async function upgrade(
  planned: PlannedDeploy & { isStopped: boolean },
  cluster: Cluster,
  versions: Readonly<Record<string, string>>,
): Promise<void> {
  const args = upgradeArgs(planned);
  const call = { input: planned.values(versions, planned.isStopped) };
  let answer = await cluster.helm.try(args, call);
  if (answer.code !== 0 && isInProgress(answer)) {
    await removeDeadRevision(cluster, planned.names);
    answer = await cluster.helm.try(args, call);
  }
  if (answer.code !== 0) throw clusterFailure(cluster.helm.argv(args), answer);
}

function upgradeArgs({ names, chart }: PlannedDeploy): string[] {
  const { namespace, release } = names;
  const place = ['--namespace', namespace, '--create-namespace'];
  return ['upgrade', '--install', release, chart, ...place, '--values', '-'];
}

/** The arguments of kubectl that remove the obsolete secrets. */
function removals({ obsolete }: PlannedDeploy): string[][] {
  return obsolete.length === 0 ? [] : [['delete', 'secret', ...obsolete, '--ignore-not-found']];
}

function clusterOf({ config, names, interrupted }: PlannedDeploy): Cluster {
  return openCluster({ context: config.kubernetesContext, namespace: names.namespace }, interrupted);
}
