/**
 * @peers cyclonus
 * @paths libs/testing/src/network-policy
 */
import { Random } from '../random';
import { judgeByCyclonus } from './cyclonus';
import type { NetworkPolicy, PolicyPeer, PolicyPort } from './network-policy';
import { type Connection, type NetworkEnd, PolicyNetwork, type PolicyPod } from './policy-network';
import type { Labels, LabelSelector } from './selector';

const NAMESPACES = { a: { team: 'x' }, b: { team: 'x', tier: 'back' }, c: {} };
const LABELS: Labels[] = [{ app: 'web' }, { app: 'job', tier: 'back' }];
const PODS: PolicyPod[] = Object.keys(NAMESPACES).flatMap((namespace, row) =>
  LABELS.map((labels, column) => ({
    namespace,
    labels,
    address: `10.${row}.0.${column}`,
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'dns', containerPort: 53, protocol: 'UDP' as const },
    ],
  })),
);
const ENDS: NetworkEnd[] = [
  ...PODS,
  { address: '203.0.113.9' },
  { address: '169.254.169.254' },
  { address: '2001:db8::1' },
];
const CONNECTIONS: Connection[] = ENDS.flatMap((from) =>
  ENDS.filter((to) => to !== from).flatMap((to) => [
    { from, to, port: 8080 },
    { from, to, port: 53, protocol: 'UDP' as const },
    { from, to, port: 443 },
  ]),
);

/** Policies by chance, of every construct that the judge knows. */
class ChancePolicies {
  constructor(private readonly random: Random) {}

  some(): NetworkPolicy[] {
    return Array.from({ length: 1 + this.below(4) }, (_, at) => this.policy(`policy-${at}`));
  }

  private policy(name: string): NetworkPolicy {
    const rules = () => Array.from({ length: this.below(3) }, () => this.rule());
    const spec = {
      podSelector: this.selector(),
      policyTypes: this.random.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress']] as const),
      ingress: rules().map(({ peers, ports }) => ({ from: peers, ports })),
      egress: rules().map(({ peers, ports }) => ({ to: peers, ports })),
    };
    return { metadata: { name, namespace: this.random.pick(['a', 'b', 'c']) }, spec };
  }

  private rule() {
    const peers = Array.from({ length: this.below(3) }, () => this.peer());
    const ports = Array.from({ length: this.below(2) }, () => this.port());
    return { peers, ports };
  }

  private peer(): PolicyPeer {
    switch (this.below(4)) {
      case 0:
        return { podSelector: this.selector() };
      case 1:
        return { namespaceSelector: this.selector() };
      case 2:
        return { podSelector: this.selector(), namespaceSelector: this.selector() };
      default:
        return { ipBlock: this.random.pick(BLOCKS) };
    }
  }

  /** From 0 to below the bound. */
  private below(bound: number): number {
    return Math.floor(this.random.next() * bound);
  }

  private port(): PolicyPort {
    return this.random.pick(PORTS);
  }

  private selector(): LabelSelector {
    return this.random.pick(SELECTORS);
  }
}

const BLOCKS = [
  { cidr: '0.0.0.0/0' },
  { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '169.254.0.0/16'] },
  { cidr: '10.0.0.0/15', except: ['10.1.0.0/31'] },
  { cidr: '2000::/3' },
  { cidr: '2000::/3', except: ['2001:db8::/32'] },
];
const PORTS: PolicyPort[] = [
  { port: 8080 },
  { port: 'http' },
  { port: 'dns', protocol: 'UDP' },
  { port: 53, protocol: 'UDP' },
  { port: 400, endPort: 500 },
  { protocol: 'TCP' },
  { port: 'none' },
];
const SELECTORS: LabelSelector[] = [
  {},
  { matchLabels: { app: 'web' } },
  { matchLabels: { team: 'x' } },
  { matchLabels: { 'kubernetes.io/metadata.name': 'b' } },
  { matchLabels: { tier: 'back', team: 'x' } },
  { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'app', operator: 'In', values: ['job', 'other'] }] },
  // Not NotIn: where the label is missing, Kubernetes takes it to hold, and cyclonus does not.
];

it('judges connections under policies by chance as cyclonus does', async () => {
  const chance = new ChancePolicies(new Random(20_261_123));
  const counts = { allowed: 0, refused: 0 };
  for (let round = 0; round < 100; round++) {
    const policies = chance.some();
    const network = new PolicyNetwork(NAMESPACES, policies);
    const ours = CONNECTIONS.map((each) => network.allows(each));
    const theirs = await judgeByCyclonus({ namespaces: NAMESPACES, policies, connections: CONNECTIONS });
    const differing = CONNECTIONS.filter((_, at) => ours[at] !== theirs[at]);
    expect({ policies, differing }).toEqual({ policies, differing: [] });
    for (const allowed of ours) counts[allowed ? 'allowed' : 'refused']++;
  }
  expect(Math.min(counts.allowed, counts.refused)).toBeGreaterThan(1000);
});
