import { ENVIRONMENT_LABEL } from '@plat/contracts/core';
import type { RuntimeNames } from '@plat/environments';
import { applyObject } from '../cluster/apply-object';
import type { Cluster } from '../cluster/cluster';
import { shellQuote } from '../terminal/shell-quote';

/** The namespace that an environment is deployed into. */
export interface DeployedNamespace {
  names: Pick<RuntimeNames, 'namespace' | 'release'>;
  /** The environment's id on the platform; undefined if it is not registered. */
  environmentId?: string | undefined;
}

/**
 * Creates the namespace with the environment's label, by which the platform knows that it may remove it. An existing one
 * gets the label only if it has none and an earlier deploy has left the environment's release in it: otherwise anyone who
 * may deploy would let the platform remove a namespace that was made for something else. Rule H7.
 *
 * @returns a sentence about a namespace that the platform will not remove
 */
export async function provideNamespace(
  cluster: Cluster,
  { names, environmentId }: DeployedNamespace,
): Promise<string | undefined> {
  const { namespace } = names;
  const look = ['get', 'namespace', namespace, '--ignore-not-found', '--output', 'json'];
  const found = await cluster.kubectl.run(look);
  if (found.trim() === '') {
    await applyObject(cluster, ['apply', '--filename', '-'], {
      input: namespaceManifest(namespace, environmentId),
    });
    return undefined;
  }
  if (environmentId === undefined) return undefined;
  const label = (JSON.parse(found) as Labelled).metadata?.labels?.[ENVIRONMENT_LABEL];
  if (label === environmentId) return undefined;
  if (label === undefined && (await hasRelease(cluster, names))) {
    // Without --overwrite: if another run has set another label meanwhile, that one stays.
    await cluster.kubectl.run(labelArgs(namespace, environmentId));
    return undefined;
  }
  const whose =
    label === undefined ? 'was not made by a deploy' : `has the label of the environment ${label}`;
  const command = shellQuote(cluster.kubectl.argv([...labelArgs(namespace, environmentId), '--overwrite']));
  return `The namespace ${namespace} ${whose}, so the platform does not remove it with this environment; if it is this environment's: ${command}`;
}

interface Labelled {
  metadata?: { labels?: Record<string, string> };
}

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

export function namespaceManifest(name: string, environmentId: string | undefined): string {
  const labels = environmentId === undefined ? {} : { labels: { [ENVIRONMENT_LABEL]: environmentId } };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...labels } });
}
