interface ClusterAddress {
  namespace: string;
  environmentId: string;
  kubernetesContext?: string;
}

/** Clusters in memory, with only the behaviour that the conformance spec checks on real ones. */
export class ClusterDouble {
  /** The namespaces. A held one stays `terminating` after its removal. */
  readonly namespaces = new Map<string, 'active' | 'held' | 'terminating'>();
  /** The environment whose label a namespace carries, by namespace. */
  readonly environments = new Map<string, string>();
  /** While set, the answer to every call. */
  refusal: string | undefined;
  /** The removals asked for, in order. */
  readonly asked: string[] = [];
  private readonly contexts: ReadonlySet<string>;

  constructor(contexts: string[] = []) {
    this.contexts = new Set(contexts);
  }

  async removeNamespace(
    { namespace, environmentId, kubernetesContext }: ClusterAddress,
    signal: AbortSignal,
  ): Promise<{ state: 'removed' | 'terminating' } | { state: 'refused' | 'failed'; reason: string }> {
    signal.throwIfAborted();
    this.asked.push(namespace);
    if (this.refusal !== undefined) return { state: 'failed', reason: this.refusal };
    if (kubernetesContext !== undefined && !this.contexts.has(kubernetesContext)) {
      return {
        state: 'refused',
        reason: `Environments may not run in a cluster named ${kubernetesContext}.`,
      };
    }
    const state = this.namespaces.get(namespace);
    if (state === undefined) return { state: 'removed' };
    if (this.environments.get(namespace) !== environmentId) {
      return {
        state: 'refused',
        reason: `The namespace ${namespace} is not known to be this environment's.`,
      };
    }
    if (state === 'held' || state === 'terminating') {
      this.namespaces.set(namespace, 'terminating');
      return { state: 'terminating' };
    }
    this.namespaces.delete(namespace);
    return { state: 'removed' };
  }
}
