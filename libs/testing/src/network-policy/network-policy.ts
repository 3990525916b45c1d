import type { LabelSelector } from './selector';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** A NetworkPolicy of networking.k8s.io/v1, as a manifest has it. */
export interface NetworkPolicy {
  metadata: { name: string; namespace: string };
  spec: {
    podSelector: LabelSelector;
    policyTypes?: ReadonlyArray<'Ingress' | 'Egress'>;
    ingress?: ReadonlyArray<{ from?: readonly PolicyPeer[]; ports?: readonly PolicyPort[] }>;
    egress?: ReadonlyArray<{ to?: readonly PolicyPeer[]; ports?: readonly PolicyPort[] }>;
  };
}

/** A rule of either direction. */
export interface PolicyRule {
  peers: readonly PolicyPeer[] | undefined;
  ports: readonly PolicyPort[] | undefined;
}

/** Either an ipBlock alone, or one selector or both, which then both must hold. */
export interface PolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: readonly string[] };
}

export interface PolicyPort {
  /** A number, or the name of a port that a container of the destination declares. */
  port?: number | string;
  /** The last of a range that `port` begins. */
  endPort?: number;
  protocol?: Protocol;
}
