import { ENVIRONMENT_LABEL } from '@plat/contracts/core';
import type { EnvironmentName, RuntimeNames } from '@plat/environments';
import type { Cluster } from '../cluster/cluster';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';
import {
  beginCreation,
  forgetCreation,
  isKnown,
  type NamespaceIdentity,
  rememberNamespace,
} from './namespace-memory';

/** The annotation with the value of the creation that has made a namespace. Rule H7. */
export const MAKING_ANNOTATION = 'plat.dev/making';

/** The namespace that an environment is deployed into. */
export interface DeployedNamespace {
  name: EnvironmentName;
  names: Pick<RuntimeNames, 'namespace' | 'release'>;
  /** The environment's id on the platform; undefined if it is not registered. */
  environmentId?: string | undefined;
  configFolder: string;
  /** Whether the person says that the namespace may be used, whoever has made it. */
  accepted: boolean;
}

interface Namespace {
  metadata?: { uid?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

/** A namespace that a deploy may write to. */
export interface ProvidedNamespace {
  /** As it was found; undefined if this deploy has created it. */
  found: Namespace | undefined;
  /** False for one that the person accepts with this deploy: whoever has made it may know its secrets. */
  isOwn: boolean;
}

/**
 * Creates the namespace with the environment's label, by which the platform knows that it may remove it. One that exists is
 * used only if it has that label, or if a deploy of this machine has made or accepted it: whoever has made it in advance
 * may read the secrets in it, and put a release there that looks like one of ours. Rule H7.
 *
 * @throws Failure NAMESPACE_NOT_OWN before anything is written
 */
export async function provideNamespace(
  cluster: Cluster,
  deployed: DeployedNamespace,
): Promise<ProvidedNamespace> {
  const found = (await findNamespace(cluster, deployed)) ?? (await createNamespace(cluster, deployed));
  return { found, isOwn: found === undefined || (await checkOwn(cluster, deployed, found)) };
}

/**
 * Makes a namespace the environment's own, once no value is in it that its maker knows: remembers one that was accepted,
 * and sets the label on one that has none and holds the environment's release. Rule H7.
 *
 * @returns a sentence about a namespace that the platform will not remove
 */
export async function adoptNamespace(
  cluster: Cluster,
  deployed: DeployedNamespace,
  { found, isOwn }: ProvidedNamespace,
): Promise<string | undefined> {
  const { names, environmentId } = deployed;
  if (found === undefined) return undefined;
  if (!isOwn) await rememberNamespace(deployed, identityOf(cluster, found));
  if (environmentId === undefined) return undefined;
  const label = labelOf(found);
  if (label === environmentId) return undefined;
  const args = labelArgs(names.namespace, environmentId);
  if (label === undefined && (await hasRelease(cluster, names))) {
    // Without --overwrite: if another run has set another label meanwhile, that one stays.
    await cluster.kubectl.run(args);
    return undefined;
  }
  const whose =
    label === undefined ? 'was not made by a deploy' : `has the label of the environment ${label}`;
  const command = shellQuote(cluster.kubectl.argv([...args, '--overwrite']));
  return `The namespace ${names.namespace} ${whose}, so the platform does not remove it with this environment; if it is this environment's: ${command}`;
}

const labelOf = ({ metadata }: Namespace): string | undefined => metadata?.labels?.[ENVIRONMENT_LABEL];

async function findNamespace(
  { kubectl }: Cluster,
  { names: { namespace } }: DeployedNamespace,
): Promise<Namespace | undefined> {
  const found = await kubectl.run(['get', 'namespace', namespace, '--ignore-not-found', '--output', 'json']);
  return found.trim() === '' ? undefined : (JSON.parse(found) as Namespace);
}

/** Makes it by `create`, since `apply` would change one that someone else has made meanwhile. @returns such a one */
async function createNamespace(
  cluster: Cluster,
  deployed: DeployedNamespace,
): Promise<Namespace | undefined> {
  const creation = await beginCreation(deployed, cluster.target.context);
  const { value } = creation;
  const input = namespaceManifest(deployed.names.namespace, deployed.environmentId, value);
  try {
    const uid = await cluster.kubectl.run(CREATE_NAMESPACE, { input, secrets: [value] });
    await rememberNamespace(deployed, { uid: uid.trim(), creation });
    return undefined;
  } catch (error) {
    // After any other failure the cluster may have made it all the same, and the next deploy knows it by the value.
    if (!(error instanceof Failure && error.message.includes('(AlreadyExists)'))) throw error;
    const found = await findNamespace(cluster, deployed);
    // A proxy may have sent the request twice: then the first one has made the namespace.
    if (found?.metadata?.annotations?.[MAKING_ANNOTATION] === value) return found;
    await forgetCreation(deployed, creation);
    // The namespace has gone meanwhile.
    if (found === undefined) throw error;
    return found;
  }
}

/** The annotation proves nothing by itself: anyone who may write to the namespace can set it. */
function identityOf({ target: { context } }: Cluster, { metadata }: Namespace): NamespaceIdentity {
  const value = metadata?.annotations?.[MAKING_ANNOTATION];
  return { uid: metadata?.uid ?? '', creation: value === undefined ? undefined : { context, value } };
}

/**
 * Checks whether a namespace is the environment's own, and remembers one that is.
 *
 * @throws Failure NAMESPACE_NOT_OWN unless it is, or is accepted
 */
async function checkOwn(cluster: Cluster, deployed: DeployedNamespace, found: Namespace): Promise<boolean> {
  const { name, names, environmentId, accepted } = deployed;
  const identity = identityOf(cluster, found);
  const isLabelled = environmentId !== undefined && labelOf(found) === environmentId;
  if (isLabelled || isKnown(deployed, identity)) {
    await rememberNamespace(deployed, identity);
    return true;
  }
  if (accepted) return false;
  throw new Failure(
    'NAMESPACE_NOT_OWN',
    `The namespace ${names.namespace} exists, and no deploy of this machine has made it: whoever has may be able to read the secrets that a deploy writes there.`,
    {
      details: { namespace: names.namespace, label: labelOf(found) },
      next: nextStep(
        environmentId === undefined && labelOf(found) !== undefined
          ? nextStep(
              'register the environment, by whose id the namespace is known: plat init',
              [name.tenant, name.environment],
              '; or',
            )
          : undefined,
        'see who may read its secrets (',
        cluster.kubectl.argv(['get', 'rolebindings']),
        '), then plat deploy',
        [name.tenant, name.environment],
        '--accept-namespace',
      ),
    },
  );
}

/** The arguments of kubectl that create the namespace on stdin, and print its uid. */
export const CREATE_NAMESPACE = ['create', '--filename', '-', '--output', 'jsonpath={.metadata.uid}'];

/** The arguments of kubectl that set the label of a namespace that has none. */
export const labelArgs = (namespace: string, environmentId: string): string[] => [
  'label',
  'namespace',
  namespace,
  `${ENVIRONMENT_LABEL}=${environmentId}`,
];

async function hasRelease({ kubectl }: Cluster, { release }: DeployedNamespace['names']): Promise<boolean> {
  const look = ['get', 'deployment', release, '--ignore-not-found', '--output', 'name'];
  return (await kubectl.run(look)).trim() !== '';
}

/** @param making the value of its creation */
export function namespaceManifest(name: string, environmentId: string | undefined, making: string): string {
  const labels = environmentId === undefined ? {} : { labels: { [ENVIRONMENT_LABEL]: environmentId } };
  const metadata = { name, ...labels, annotations: { [MAKING_ANNOTATION]: making } };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata });
}
