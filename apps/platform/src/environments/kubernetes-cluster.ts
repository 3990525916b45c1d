import type {
  ConfigurationOptions,
  KubeConfig,
  Observable as ObservableClass,
  ObservableMiddleware,
} from '@kubernetes/client-node';
import type { Cluster, NamespaceAddress, NamespaceRemoval } from './cluster';

/** The value of CLUSTER_KUBECONFIG for the cluster that this process runs in, with its service account. */
export const IN_CLUSTER = 'in-cluster';

const REQUEST_TIMEOUT_MS = 15_000;

/** The clusters of a kubeconfig file, or the one that this process runs in. */
export class KubernetesCluster implements Cluster {
  /** @param kubeconfig path of the file, or IN_CLUSTER. Each removal reads it again, because its credentials rotate. */
  constructor(private readonly kubeconfig: string) {}

  async removeNamespace(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval> {
    try {
      return await this.remove(address, signal);
    } catch (cause) {
      signal.throwIfAborted();
      return { state: 'failed', reason: reasonOf(cause, address), cause };
    }
  }

  private async remove(
    { namespace: name, kubernetesContext }: NamespaceAddress,
    signal: AbortSignal,
  ): Promise<NamespaceRemoval> {
    // Loaded when first needed: the library is large, and most processes never delete an environment.
    const library = await import('@kubernetes/client-node');
    const api = this.configure(new library.KubeConfig(), kubernetesContext).makeApiClient(library.CoreV1Api);
    const options = () => timeLimited(library, signal);
    if (await answers404(api.deleteNamespace({ name, propagationPolicy: 'Background' }, options()))) {
      return { state: 'removed' };
    }
    return { state: (await answers404(api.readNamespace({ name }, options()))) ? 'removed' : 'terminating' };
  }

  private configure(config: KubeConfig, kubernetesContext: string | undefined): KubeConfig {
    if (this.kubeconfig === IN_CLUSTER) {
      config.loadFromCluster();
      return config;
    }
    config.loadFromFile(this.kubeconfig);
    if (kubernetesContext !== undefined) {
      if (!config.getContextObject(kubernetesContext)) throw new UnknownContext();
      config.setCurrentContext(kubernetesContext);
    }
    return config;
  }
}

class UnknownContext extends Error {}

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

/** Whether the cluster does not know the namespace. A conflict means that it is terminating already. */
async function answers404(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return false;
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) return true;
    if (status === 409) return false;
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}

/** The reason for the tenant, which reveals nothing of the cluster's address, accounts or answers. */
function reasonOf(cause: unknown, { kubernetesContext }: NamespaceAddress): string {
  if (cause instanceof UnknownContext) return `The platform knows no cluster named ${kubernetesContext}.`;
  const status = statusOf(cause);
  if (status !== undefined) return `The cluster refused to remove the namespace (HTTP ${status}).`;
  return 'The cluster could not be reached.';
}
