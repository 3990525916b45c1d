/** Where an environment runs. */
export interface NamespaceAddress {
  namespace: string;
  /** The cluster, as the deployment names it; its default one when absent. */
  kubernetesContext?: string;
}

/** What became of a request to remove a namespace; `reason` is for the tenant, `cause` for the log. */
export type NamespaceRemoval =
  { state: 'removed' | 'terminating' } | { state: 'failed'; reason: string; cause?: unknown };

/** The clusters that environments run in, as far as their deletion needs them. */
export interface Cluster {
  /**
   * Asks the cluster to remove a namespace with all that is in it. Asking again is no error: `terminating` as long as
   * it is on its way out, `removed` when there is none. Never rejects, save when aborted.
   */
  removeNamespace(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval>;
}
