import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Networks that no public server is in: private, loopback, link-local, shared, multicast and reserved ones. */
const CLOSED_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
/** Within the global addresses: those that lead to an IPv4 address, by Teredo and 6to4. */
const CLOSED_IPV6: [network: string, prefix: number][] = [
  ['2001::', 32],
  ['2002::', 16],
];

const closed = new BlockList();
for (const [network, prefix] of CLOSED_IPV4) closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of CLOSED_IPV6) closed.addSubnet(network, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** @throws Error if an address of the URL's host is no public one */
export async function expectPublicHost({ hostname }: URL): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  if (found.every(({ address }) => isPublic(address))) return;
  throw new Error(`${hostname} is not a public host`);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4');
  return globalIpv6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}
