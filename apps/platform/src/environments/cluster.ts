/** The cluster and namespace of an environment. */
export interface NamespaceAddress {
  namespace: string;
  /** The environment's id, which the namespace must carry as a label. */
  environmentId: string;
  /** The deployment's name for the cluster; absent for the default cluster. */
  kubernetesContext?: string;
}

/**
 * The result of a request to remove a namespace; `reason` is for the tenant, `cause` for the log. Refused means that the
 * namespace may not be removed for this environment, so that another attempt would end the same.
 */
export type NamespaceRemoval =
  | { state: 'removed' | 'terminating' }
  | { state: 'refused'; reason: string }
  | { state: 'failed'; reason: string; cause?: unknown };

/** The clusters that environments run in, as far as a deletion uses them. */
export interface Cluster {
  /**
   * Asks the cluster to remove an environment's namespace with all that is in it. May be repeated: the result is
   * `terminating` until the namespace is gone, then `removed`. Rejects only when aborted.
   */
  removeNamespace(address: NamespaceAddress, signal: AbortSignal): Promise<NamespaceRemoval>;
}
