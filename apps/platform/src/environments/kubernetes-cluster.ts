import type {
  ConfigurationOptions,
  CoreV1ApiDeleteNamespaceRequest,
  KubeConfig,
  Observable as ObservableClass,
  ObservableMiddleware,
  V1Namespace,
} from '@kubernetes/client-node';
import { defined, ENVIRONMENT_LABEL } from '@plat/contracts/core';
import type { Cluster, NamespaceAddress, NamespaceRemoval } from './cluster';
import type { OpenContexts } from './open-contexts';

/** The value of CLUSTER_KUBECONFIG for the cluster that this process runs in, with its service account. */
export const IN_CLUSTER = 'in-cluster';

const REQUEST_TIMEOUT_MS = 15_000;

export interface KubernetesAccess {
  /** Path of a kubeconfig file, or IN_CLUSTER. Each removal reads it again, because its credentials rotate. */
  kubeconfig: string;
  contexts: OpenContexts;
}

/** The clusters of a kubeconfig file, or the one that this process runs in. */
export class KubernetesCluster implements Cluster {
  constructor(private readonly access: KubernetesAccess) {}

  async removeNamespace(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval> {
    signal.throwIfAborted();
    const { kubernetesContext } = address;
    // Before the file is read, so that the answer does not depend on whether it has such a context.
    if (kubernetesContext !== undefined && !this.access.contexts.has(kubernetesContext)) {
      return { state: 'refused', reason: closedCluster(kubernetesContext) };
    }
    try {
      return await this.remove(address, signal);
    } catch (cause) {
      signal.throwIfAborted();
      return { state: 'failed', reason: reasonOf(cause), cause };
    }
  }

  private async remove(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval> {
    // Loaded when first needed: the library is large, and most processes never delete an environment.
    const library = await import('@kubernetes/client-node');
    const config = this.configure(new library.KubeConfig(), address.kubernetesContext);
    const api = config.makeApiClient(library.CoreV1Api);
    const { namespace: name } = address;
    const options = () => timeLimited(library, signal);
    const read = () => unlessAnswered([404], api.readNamespace({ name }, options()));
    const found = await read();
    if (found === undefined) return { state: 'removed' };
    if (!isOwn(found, address)) return { state: 'refused', reason: foreignNamespace(address) };
    // A conflict: it is terminating already, or has changed since it was read. The next attempt reads it again.
    await unlessAnswered([404, 409], api.deleteNamespace(deletionOf(name, found), options()));
    return { state: (await read()) === undefined ? 'removed' : 'terminating' };
  }

  private configure(config: KubeConfig, kubernetesContext: string | undefined): KubeConfig {
    if (this.access.kubeconfig === IN_CLUSTER) {
      config.loadFromCluster();
      return config;
    }
    config.loadFromFile(this.access.kubeconfig);
    if (kubernetesContext !== undefined) {
      if (!config.getContextObject(kubernetesContext)) {
        throw new Error(
          `CLUSTER_CONTEXTS has the context ${kubernetesContext}, and CLUSTER_KUBECONFIG has not.`,
        );
      }
      config.setCurrentContext(kubernetesContext);
    }
    return config;
  }
}

const isOwn = ({ metadata }: V1Namespace, { environmentId }: NamespaceAddress): boolean =>
  metadata?.labels?.[ENVIRONMENT_LABEL] === environmentId;

/** Removes exactly the namespace whose label was read: not one that has taken its place or lost its label since. */
function deletionOf(
  name: string,
  { metadata: { uid, resourceVersion } = {} }: V1Namespace,
): CoreV1ApiDeleteNamespaceRequest {
  const preconditions = defined({ uid, resourceVersion });
  return { name, body: { propagationPolicy: 'Background', preconditions } };
}

/** Gives a request a signal: the library takes one only from a middleware. */
function timeLimited(
  { Observable }: { Observable: typeof ObservableClass },
  signal: AbortSignal,
): ConfigurationOptions<ObservableMiddleware> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  const middleware: ObservableMiddleware = {
    pre: (context) => {
      context.setSignal(limited);
      return new Observable(Promise.resolve(context));
    },
    post: (context) => new Observable(Promise.resolve(context)),
  };
  return { middleware: [middleware], middlewareMergeStrategy: 'append' };
}

/** @returns undefined if the answer has one of the statuses */
async function unlessAnswered<T>(statuses: readonly number[], request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statuses.includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}

const closedCluster = (context: string): string =>
  `Environments may not run in a cluster named ${context}. The platform's operator lists those that they may.`;

const foreignNamespace = ({ namespace, environmentId }: NamespaceAddress): string =>
  `The namespace ${namespace} is not known to be this environment's: it lacks the label ${ENVIRONMENT_LABEL}=${environmentId}. ` +
  'Deploy the environment once more, or set the label, or remove the namespace; then delete the environment again.';

/** The reason for the tenant, which reveals nothing of the cluster's address, accounts or answers. */
function reasonOf(cause: unknown): string {
  const status = statusOf(cause);
  if (status !== undefined) return `The cluster refused to remove the namespace (HTTP ${status}).`;
  return 'The cluster could not be reached.';
}
