import { isIPv6 } from 'node:net';
import { type NetworkPolicy, PolicyNetwork } from '@plat/testing';
import { isAddressAllowed } from '@plat/verifier';
import { CONNECTIONS, DEFAULT_POLICIES, NAMESPACES, toRepository } from './chart-connections';
import { CASES, podsOf, rendered } from './plat-chart';

describe('a connection', () => {
  it.each(CONNECTIONS)('$shows: $allowed', ({ policies, allowed, ...connection }) => {
    expect(new PolicyNetwork(NAMESPACES, policies).allows(connection)).toBe(allowed);
  });
});

/** The blocks that the reviews service may and may not reach. */
const blocks = DEFAULT_POLICIES.flatMap(({ spec }: NetworkPolicy) => spec.egress ?? [])
  .flatMap(({ to }) => to ?? [])
  .flatMap(({ ipBlock }) => (ipBlock?.except ? [ipBlock] : []));

describe('where the reviews service may look for repositories', () => {
  const addresses = blocks.flatMap(({ cidr, except = [] }) => [cidr, ...except].flatMap(edgesOf));
  const network = new PolicyNetwork(NAMESPACES, DEFAULT_POLICIES);

  it('is known by the first and last address of each block, and by those next to them', () => {
    expect(blocks).toHaveLength(2);
    expect(addresses.length).toBeGreaterThan(80);
  });

  // The first is the issuer of the values.
  it.each(addresses.filter((address) => !address.startsWith('198.18.')))(
    "%s: the policy and the verifier's wall agree",
    (address) => {
      const wall = isAddressAllowed(address, { allowLoopback: false });
      expect(network.allows(toRepository(address))).toBe(wall);
    },
  );

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ])('is not %s', (address) => expect(network.allows(toRepository(address))).toBe(false));
});

it('every pod of the chart is under the policy that denies, in each case with policies', () => {
  for (const name of CASES.filter((each) => each !== 'ingress')) {
    const denies = ({ metadata }: { metadata: { name: string } }) => metadata.name === 'plat-default-deny';
    const deny = rendered(name, 'NetworkPolicy').find(denies) as unknown as NetworkPolicy;
    const { matchLabels } = deny.spec.podSelector;
    const pods = podsOf(name);
    expect(pods.length).toBeGreaterThanOrEqual(7);
    for (const { metadata } of pods) expect(metadata.labels).toMatchObject(matchLabels!);
  }
});

/** The first and last address of a block, and the ones before and after it. */
function edgesOf(cidr: string): string[] {
  const [network = '', bits] = cidr.split('/');
  const size = isIPv6(network) ? 128n : 32n;
  const first = numberOf(network);
  const last = first + (1n << (size - BigInt(bits ?? 0))) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((each) => each >= 0n && each < 1n << size)
    .map((each) => textOf(each, size));
}

function numberOf(address: string): bigint {
  if (!isIPv6(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [head, tail].map((side) => side.split(':').filter(Boolean)) as [string[], string[]];
  const middle = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

function textOf(value: bigint, size: bigint): string {
  const [parts, width, radix, separator] =
    size === 32n ? ([4n, 8n, 10, '.'] as const) : ([8n, 16n, 16, ':'] as const);
  return Array.from({ length: Number(parts) }, (_, place) =>
    ((value >> ((parts - 1n - BigInt(place)) * width)) & ((1n << width) - 1n)).toString(radix),
  ).join(separator);
}
