/** Where an environment runs. */
export interface NamespaceAddress {
  namespace: string;
  /** The deployment's name for the cluster; absent for the default cluster. */
  kubernetesContext?: string;
}

/** The result of a request to remove a namespace; `reason` is for the tenant, `cause` for the log. */
export type NamespaceRemoval =
  { state: 'removed' | 'terminating' } | { state: 'failed'; reason: string; cause?: unknown };

/** The clusters that environments run in, as far as a deletion uses them. */
export interface Cluster {
  /**
   * Asks the cluster to remove a namespace with all that is in it. May be repeated: the result is `terminating` until
   * the namespace is gone, then `removed`. Rejects only when aborted.
   */
  removeNamespace(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval>;
}
