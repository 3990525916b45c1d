import type {
  ConfigurationOptions,
  CoreV1Api,
  CoreV1ApiDeleteNamespaceRequest,
  KubeConfig,
  Observable as ObservableClass,
  ObservableMiddleware,
  V1Namespace,
} from '@kubernetes/client-node';
import { defined, ENVIRONMENT_LABEL } from '@plat/contracts/core';
import { withTimeLimit } from '@plat/local';
import type { Cluster, NamespaceAddress, NamespaceRemoval } from './cluster';
import { sendToCluster } from './cluster-requests';
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
    const api = apiOf(library, config);
    const { namespace: name } = address;
    const ask = <T>(request: (options: Options) => Promise<T>): Promise<T> => {
      const limited = withTimeLimit(signal, REQUEST_TIMEOUT_MS);
      return unlessAborted(limited, request(abortedBy(limited, library)));
    };
    const read = () =>
      unlessAnswered(
        [404],
        ask((options) => api.readNamespace({ name }, options)),
      );
    const found = await read();
    if (found === undefined) return { state: 'removed' };
    if (!isOwn(found, address)) return { state: 'refused', reason: foreignNamespace(address) };
    // A conflict: it is terminating already, or has changed since it was read. The next attempt reads it again.
    await unlessAnswered(
      [404, 409],
      ask((options) => api.deleteNamespace(deletionOf(name, found), options)),
    );
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

type Options = ConfigurationOptions<ObservableMiddleware>;

/** The client of a kubeconfig's current cluster, which sends its requests by `sendToCluster`. */
function apiOf(library: typeof import('@kubernetes/client-node'), config: KubeConfig): CoreV1Api {
  const { createConfiguration, ServerConfiguration, wrapHttpLibrary } = library;
  const settings = createConfiguration({
    baseServer: new ServerConfiguration(config.getCurrentCluster()?.server ?? '', {}),
    authMethods: { default: config },
    httpApi: wrapHttpLibrary({ send: (request) => sendToCluster(library, request) }),
  });
  return new library.CoreV1Api(settings);
}

/** Gives a request a signal: the library takes one only from a middleware. */
function abortedBy(signal: AbortSignal, { Observable }: { Observable: typeof ObservableClass }): Options {
  const middleware: ObservableMiddleware = {
    pre: (context) => {
      context.setSignal(signal);
      return new Observable(Promise.resolve(context));
    },
    post: (context) => new Observable(Promise.resolve(context)),
  };
  return { middleware: [middleware], middlewareMergeStrategy: 'append' };
}

/** Ends the wait for a credential plugin of the kubeconfig too, which the library runs without a limit. */
function unlessAborted<T>(signal: AbortSignal, request: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    request.then(resolve, reject);
  });
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

/** The status of an answer; the error of a signal has a small number as its code, too. */
function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'number' && code >= 100 ? code : undefined;
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
