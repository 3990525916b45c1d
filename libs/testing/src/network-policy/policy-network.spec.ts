import type { NetworkPolicy } from './network-policy';
import { type NetworkEnd, PolicyNetwork, type PolicyPod } from './policy-network';

const pod = (namespace: string, app: string, rest: Partial<PolicyPod> = {}): PolicyPod => ({
  namespace,
  labels: { app },
  address: '10.1.0.1',
  ...rest,
});
const web = pod('here', 'web', { ports: [{ name: 'http', containerPort: 8080 }] });
const job = pod('here', 'job', { address: '10.1.0.2' });
const far = pod('there', 'web', { address: '10.1.0.3' });
const outside: NetworkEnd = { address: '203.0.113.9' };
const NAMESPACES = { here: { team: 'a' }, there: { team: 'b' } };

const policy = (spec: NetworkPolicy['spec'], namespace = 'here'): NetworkPolicy => ({
  metadata: { name: 'policy', namespace },
  spec,
});
const network = (...policies: NetworkPolicy[]) => new PolicyNetwork(NAMESPACES, policies);
/** Into `web` on 8080, over TCP. */
const into = (from: NetworkEnd, port = 8080) => ({ from, to: web, port });
const ALL = {};

describe('without a policy that selects an end', () => {
  it('everything passes', () => {
    expect(network().allows(into(outside))).toBe(true);
    expect(network(policy({ podSelector: { matchLabels: { app: 'job' } } })).allows(into(outside))).toBe(
      true,
    );
    expect(network(policy({ podSelector: ALL }, 'there')).allows(into(outside))).toBe(true);
  });
});

describe('a policy', () => {
  it.each([
    ['governs ingress by default, and egress only if it has a rule for it', {}, [false, true]],
    ['with an egress rule governs both by default', { egress: [{}] }, [false, true]],
    [
      'with egress rules for no one lets nothing out',
      { egress: [{ to: [{ podSelector: { matchLabels: { app: 'x' } } }] }] },
      [false, false],
    ],
    ['governs the directions of policyTypes alone', { policyTypes: ['Egress' as const] }, [true, false]],
  ])('%s', (_, rest, [ingress, egress]) => {
    const one = network(policy({ podSelector: { matchLabels: { app: 'web' } }, ...rest }));
    expect(one.allows(into(job))).toBe(ingress);
    expect(one.allows({ from: web, to: job, port: 80 })).toBe(egress);
  });

  it('adds to the others: one that allows is enough', () => {
    const deny = policy({ podSelector: ALL });
    expect(network(deny).allows(into(far))).toBe(false);
    expect(network(deny, policy({ podSelector: ALL, ingress: [{}] })).allows(into(far))).toBe(true);
  });

  it('is needed at both ends where both are under one', () => {
    const letIn = policy({ podSelector: ALL, ingress: [{}] });
    const letNothingOut = policy({ podSelector: ALL, policyTypes: ['Egress'] }, 'there');
    expect(network(letIn).allows(into(far))).toBe(true);
    expect(network(letIn, letNothingOut).allows(into(far))).toBe(false);
  });

  it('does not keep a pod from itself', () => {
    expect(network(policy({ podSelector: ALL })).allows({ from: web, to: web, port: 80 })).toBe(true);
  });
});

describe('a peer', () => {
  it.each([
    [
      'podSelector: pods of the same namespace',
      [{ podSelector: ALL }],
      { job: true, far: false, outside: false },
    ],
    [
      'namespaceSelector: all pods there',
      [{ namespaceSelector: { matchLabels: { team: 'b' } } }],
      { job: false, far: true, outside: false },
    ],
    [
      'an empty namespaceSelector: all pods, but no other address',
      [{ namespaceSelector: ALL }],
      { job: true, far: true, outside: false },
    ],
    [
      "a namespace's own name is a label of it",
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'there' } } }],
      { job: false, far: true, outside: false },
    ],
    [
      'both selectors: both must hold',
      [{ namespaceSelector: ALL, podSelector: { matchLabels: { app: 'web' } } }],
      { job: false, far: true, outside: false },
    ],
    [
      'two peers: one is enough',
      [{ podSelector: ALL }, { ipBlock: { cidr: '203.0.113.0/24' } }],
      { job: true, far: false, outside: true },
    ],
    [
      'ipBlock without the exceptions',
      [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.1.0.2/31'] } }],
      { job: false, far: false, outside: true },
    ],
    [
      'ipBlock of IPv6 has no IPv4 address',
      [{ ipBlock: { cidr: '::/0' } }],
      { job: false, far: false, outside: false },
    ],
    ['no peers: everything', [], { job: true, far: true, outside: true }],
    [
      'matchExpressions: In',
      [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'In' as const, values: ['job'] }] } }],
      { job: true, far: false, outside: false },
    ],
    [
      'matchExpressions: NotIn, also without the label',
      [
        {
          namespaceSelector: {
            matchExpressions: [{ key: 'none', operator: 'NotIn' as const, values: ['x'] }],
          },
        },
      ],
      { job: true, far: true, outside: false },
    ],
    [
      'matchExpressions: Exists',
      [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' as const }] } }],
      { job: true, far: false, outside: false },
    ],
    [
      'matchExpressions: DoesNotExist',
      [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' as const }] } }],
      { job: false, far: false, outside: false },
    ],
  ])('%s', (_, from, allowed) => {
    const one = network(policy({ podSelector: ALL, ingress: [{ from }] }));
    const found = {
      job: one.allows(into(job)),
      far: one.allows(into(far)),
      outside: one.allows(into(outside)),
    };
    expect(found).toEqual(allowed);
  });
});

describe('a port', () => {
  it.each([
    ['a number', [{ port: 8080 }], [true, false]],
    ['a name that a container of the destination declares', [{ port: 'http' }], [true, false]],
    ['a name that none declares', [{ port: 'metrics' }], [false, false]],
    ['a range', [{ port: 8000, endPort: 8100 }], [true, true]],
    ['a protocol alone', [{ protocol: 'TCP' as const }], [true, true]],
    ['another protocol', [{ port: 8080, protocol: 'UDP' as const }], [false, false]],
    ['no ports: every one', [], [true, true]],
  ])('%s', (_, ports, [on8080, on8081]) => {
    const one = network(policy({ podSelector: ALL, ingress: [{ ports }] }));
    expect([one.allows(into(far)), one.allows(into(far, 8081))]).toEqual([on8080, on8081]);
  });
});

describe('IPv6', () => {
  const block = { cidr: '2000::/3', except: ['2001:db8::/32'] };
  const one = network(policy({ podSelector: ALL, egress: [{ to: [{ ipBlock: block }] }] }));

  it.each([
    ['2606:4700::1', true],
    ['2001:db8::1', false],
    ['fe80::1', false],
    ['::ffff:203.0.113.9', false],
    ['203.0.113.9', false],
  ])('a block with an exception: %s', (address, allowed) => {
    expect(one.allows({ from: web, to: { address }, port: 443 })).toBe(allowed);
  });
});
