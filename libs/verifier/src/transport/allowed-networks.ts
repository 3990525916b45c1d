import { BlockList, isIP } from 'node:net';

/** An entry cannot be used. The message names it and says what to write. */
export class NetworkFault extends Error {}

type Family = 'ipv4' | 'ipv6';
type Range = [network: string, prefix: number];

/** The addresses of a network, at any port, or those of one host at one port. */
type Opening =
  | { network: string; prefix: number; family: Family; list: BlockList; port: number | undefined }
  | { host: string; port: number };

const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Addresses that are opened one by one only: a network that holds any of them is refused. */
const SINGLE_ONLY: Range[] = [
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fe80::', 10],
];

/** Services of clouds that give keys to their machines. A network that holds them leaves them closed. */
const METADATA: Range[] = [
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::254', 128],
];

/** Addresses that are no host's, and those in which an IPv4 address is wrapped: no entry opens them. */
const NEVER: Range[] = [
  ['0.0.0.0', 8],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['ff00::', 8],
];

const isSingleOnly = memberOf([...SINGLE_ONLY, ...METADATA]);
const isNever = memberOf(NEVER);

/**
 * The entries of a text with commas between them, such as REPOSITORY_NETWORKS.
 *
 * @throws NetworkFault that names every entry that cannot be used
 */
export function readNetworks(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const faults = entries.map(faultOf).filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new NetworkFault(faults.join('; '));
  return entries;
}

function faultOf(entry: string): string | undefined {
  try {
    readEntry(entry);
    return undefined;
  } catch (error) {
    if (error instanceof NetworkFault) return error.message;
    throw error;
  }
}

/** The networks and hosts that the operator opens to the verifier, beyond public addresses. */
export class AllowedNetworks {
  private readonly openings: readonly Opening[];

  /**
   * @param entries `10.20.0.0/16`, `fd12::/48`, `git.example.com:443`, `10.20.0.5:8443` or `[fd12::5]:443`
   * @throws NetworkFault for the first entry that cannot be used
   */
  constructor(entries: readonly string[]) {
    this.openings = entries.map(readEntry);
  }

  /** Whether a connection to the address may be made, for a URL of this host name and port. */
  allows(address: string, { host, port }: { host: string; port: number }): boolean {
    const family = familyOf(address);
    if (family === undefined || isNever(address, family)) return false;
    const isSingle = isSingleOnly(address, family);
    return this.openings.some((opening) => {
      if ('host' in opening) return !isSingle && opening.host === nameOf(host) && opening.port === port;
      if (opening.family !== family || (isSingle && opening.prefix !== BITS[family])) return false;
      return (opening.port ?? port) === port && opening.list.check(address, family);
    });
  }
}

const HOST_AND_PORT = /^(.+):(\d{1,5})$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9-]*[a-z0-9])?)*$/;

function readEntry(entry: string): Opening {
  return entry.includes('/') ? readNetwork(entry) : readHost(entry);
}

function readNetwork(entry: string): Opening {
  const [network = '', bits = '', ...rest] = entry.split('/');
  const family = familyOf(network);
  const prefix = Number(bits);
  if (family === undefined || !/^\d{1,3}$/.test(bits) || prefix > BITS[family] || rest.length > 0) {
    throw new NetworkFault(`${entry} is no CIDR: write a network such as 10.20.0.0/16 or fd12::/48`);
  }
  return open(entry, { network, prefix, family });
}

function readHost(entry: string): Opening {
  if (familyOf(entry) !== undefined) {
    throw new NetworkFault(
      `${entry} is an address without prefix and port: write ${spellingsOf(entry).join(' or ')}`,
    );
  }
  const [, text = '', digits = ''] = HOST_AND_PORT.exec(entry) ?? [];
  const port = Number(digits);
  const literal = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
  const family = familyOf(literal);
  const isHost = family === 'ipv6' ? literal !== text : literal === text;
  const name = nameOf(text);
  const isPort = port >= 1 && port <= 65_535;
  if (isPort && isLoopbackName(name)) {
    throw new NetworkFault(
      `${entry} names the loopback, which is opened by its address alone: write 127.0.0.1:${digits} or [::1]:${digits}`,
    );
  }
  if (!isPort || !isHost || (family === undefined && !isName(name))) {
    throw new NetworkFault(
      `${entry} is neither a CIDR nor host:port: write 10.20.0.0/16, git.example.com:443 or [fd12::5]:443`,
    );
  }
  if (family !== undefined) return open(entry, { network: literal, prefix: BITS[family], family, port });
  return { host: name, port };
}

/** Another spelling of an address is no name: the address opens it. */
const isName = (name: string): boolean =>
  HOST_NAME.test(name) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name) && !isLoopbackName(name);

const isLoopbackName = (name: string): boolean => name.split('.').at(-1) === 'localhost';

/** The two entries that open an address: at any port, and at one. */
function spellingsOf(address: string): [string, string] {
  const family = familyOf(address)!;
  return [`${address}/${BITS[family]}`, family === 'ipv6' ? `[${address}]:443` : `${address}:443`];
}

/** @throws NetworkFault */
function open(
  entry: string,
  { network, prefix, family, port }: { network: string; prefix: number; family: Family; port?: number },
): Opening {
  if (prefix === 0) throw new NetworkFault(`${entry} would open every address: name your own networks`);
  if (overlaps(NEVER, network, prefix)) {
    throw new NetworkFault(`${entry} holds addresses that are no host's, or that wrap an IPv4 address`);
  }
  if (prefix < BITS[family] && overlaps(SINGLE_ONLY, network, prefix)) {
    throw new NetworkFault(
      `${entry} holds loopback or link-local addresses, which are opened one by one: 127.0.0.1/32, 127.0.0.1:8443`,
    );
  }
  const list = blockList([[network, prefix]]);
  return { network, prefix, family, list, port };
}

/** Whether a network and one of the ranges have an address in common: one of them holds the other's first. */
function overlaps(ranges: Range[], network: string, prefix: number): boolean {
  const own = blockList([[network, prefix]]);
  return ranges.some(([other, otherPrefix]) => {
    const family = familyOf(other)!;
    if (family !== familyOf(network)) return false;
    return own.check(other, family) || blockList([[other, otherPrefix]]).check(network, family);
  });
}

function familyOf(address: string): Family | undefined {
  // An address with a zone, such as fe80::1%eth0, is none that a URL can have.
  if (address.includes('%')) return undefined;
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** A list for each family, because node's finds an IPv4 address in a list of wrapped ones as well. */
function memberOf(ranges: Range[]): (address: string, family: Family) => boolean {
  const of = (family: Family) => blockList(ranges.filter(([network]) => familyOf(network) === family));
  const lists = { ipv4: of('ipv4'), ipv6: of('ipv6') };
  return (address, family) => lists[family].check(address, family);
}

function blockList(ranges: Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, familyOf(network)!);
  return list;
}
