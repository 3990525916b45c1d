import { BlockList, isIPv6 } from 'node:net';
import type { NetworkPolicy, PolicyPeer, PolicyPort, PolicyRule, Protocol } from './network-policy';
import { type Labels, selects } from './selector';

/** A pod, as far as policies know it. */
export interface PolicyPod {
  namespace: string;
  labels: Labels;
  /** IPv4 or IPv6. */
  address: string;
  /** The ports that its containers declare. */
  ports?: ReadonlyArray<{ name?: string; containerPort: number; protocol?: Protocol }>;
}

/** An end of a connection: a pod, or an address outside of the cluster. */
export type NetworkEnd = PolicyPod | { address: string };

export interface Connection {
  from: NetworkEnd;
  to: NetworkEnd;
  /** The port of the destination. */
  port: number;
  /** Default: TCP. */
  protocol?: Protocol;
}

/** The label that the API server puts on each namespace, with the namespace's name. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * Judges connections as a network does that enforces NetworkPolicies: by the rules of networking.k8s.io/v1.
 * It does not know what nodes send.
 */
export class PolicyNetwork {
  /**
   * @param namespaces the labels of each, by its name
   * @param policies each with its namespace
   */
  constructor(
    private readonly namespaces: Readonly<Record<string, Labels>>,
    private readonly policies: readonly NetworkPolicy[],
  ) {}

  /** Whether both ends let the connection through. A pod always reaches itself. */
  allows(connection: Connection): boolean {
    const { from, to } = connection;
    if (from === to) return true;
    return this.passes('Egress', from, connection) && this.passes('Ingress', to, connection);
  }

  /** An end that no policy of this direction selects lets everything through; else one policy must allow it. */
  private passes(direction: 'Ingress' | 'Egress', end: NetworkEnd, connection: Connection): boolean {
    if (!isPod(end)) return true;
    const selecting = this.policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === end.namespace &&
        policyTypes(spec).includes(direction) &&
        selects(spec.podSelector, end.labels),
    );
    return selecting.length === 0 || selecting.some((policy) => this.permits(policy, direction, connection));
  }

  private permits(policy: NetworkPolicy, direction: 'Ingress' | 'Egress', connection: Connection): boolean {
    const { namespace } = policy.metadata;
    const end = direction === 'Ingress' ? connection.from : connection.to;
    return rulesOf(policy, direction).some(
      ({ peers, ports }) =>
        anyOf(peers, (peer) => this.isPeer(peer, { end, namespace })) &&
        anyOf(ports, (port) => isPort(port, connection)),
    );
  }

  private isPeer(peer: PolicyPeer, { end, namespace }: { end: NetworkEnd; namespace: string }): boolean {
    if (peer.ipBlock) return isInBlock(peer.ipBlock, end.address);
    if (!isPod(end)) return false;
    if (peer.podSelector && !selects(peer.podSelector, end.labels)) return false;
    if (!peer.namespaceSelector) return end.namespace === namespace;
    return selects(peer.namespaceSelector, {
      ...this.namespaces[end.namespace],
      [NAME_LABEL]: end.namespace,
    });
  }
}

const isPod = (end: NetworkEnd): end is PolicyPod => 'namespace' in end;

/** A list that is missing or empty stands for everything. */
const anyOf = <T>(list: readonly T[] | undefined, holds: (each: T) => boolean): boolean =>
  list === undefined || list.length === 0 || list.some(holds);

/** Returns the types of a policy; where the field is missing, those that the API server fills in. */
function policyTypes(spec: NetworkPolicy['spec']): ReadonlyArray<'Ingress' | 'Egress'> {
  return spec.policyTypes ?? (spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress']);
}

function rulesOf({ spec }: NetworkPolicy, direction: 'Ingress' | 'Egress'): PolicyRule[] {
  return direction === 'Ingress'
    ? (spec.ingress ?? []).map(({ from: peers, ports }) => ({ peers, ports }))
    : (spec.egress ?? []).map(({ to: peers, ports }) => ({ peers, ports }));
}

function isPort(rule: PolicyPort, { to, port, protocol = 'TCP' }: Connection): boolean {
  const wanted = rule.protocol ?? 'TCP';
  if (wanted !== protocol) return false;
  if (rule.port === undefined) return true;
  if (typeof rule.port === 'number') return port >= rule.port && port <= (rule.endPort ?? rule.port);
  const declared = isPod(to) ? (to.ports ?? []) : [];
  return declared.some(
    (each) => each.name === rule.port && each.containerPort === port && (each.protocol ?? 'TCP') === protocol,
  );
}

function isInBlock({ cidr, except = [] }: { cidr: string; except?: readonly string[] }, address: string) {
  return isWithin(cidr, address) && !except.some((each) => isWithin(each, address));
}

function isWithin(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const block = new BlockList();
  block.addSubnet(network, Number(bits), familyOf(network));
  // A block of IPv4 would contain an IPv4 address that is written as IPv6.
  return familyOf(network) === familyOf(address) && block.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
