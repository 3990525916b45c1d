import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that no public repository lives in (IANA special-purpose registry, and cloud metadata). */
const CLOSED_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Inside the one global unicast block, what is no public host or wraps an IPv4 address (Teredo, 6to4).
 * Everything outside it is closed: loopback, link-local, unique local, multicast, IPv4-mapped, NAT64 (64:ff9b::).
 */
const CLOSED_IPV6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const closedIpv4 = blockList('ipv4', CLOSED_IPV4);
const closedIpv6 = blockList('ipv6', CLOSED_IPV6);
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);
const loopbackIpv4 = blockList('ipv4', [['127.0.0.0', 8]]);

/** Whether the verifier may connect to this address. Anything that is no plain IP address may not. */
export function isAddressAllowed(address: string, policy: { allowLoopback: boolean }): boolean {
  switch (isIP(address)) {
    case 4:
      if (loopbackIpv4.check(address, 'ipv4')) return policy.allowLoopback;
      return !closedIpv4.check(address, 'ipv4');
    case 6:
      if (address === '::1') return policy.allowLoopback;
      return globalIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockList(family: 'ipv4' | 'ipv6', subnets: [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
