import { lookup, Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { VerifierConfig } from '../config';
import { refused, RemoteFailure, unreadable } from '../remote-failure';
import { AllowedNetworks } from './allowed-networks';
import type { GitHttpRequest } from './git-http';

/*
 * Guards this service against a remote that wants to harm it: every decision about the network is in this file.
 * A request passes them in this order (called by guarded-http.ts, the only user of node:http):
 *
 *  1. scheme: https, and http if the deployment allows it; no user name or password                vetUrl
 *  2. host: an IP literal is vetted by its text, in any spelling; a name is resolved once, all
 *     its addresses are vetted, and the socket is opened to one of these; beyond public addresses
 *     the operator opens networks and hosts, in allowed-networks.ts                                vetUrl, guardedLookup
 *  3. no credentials and no cookies leave; node:http reads no proxy variables                      sentHeaders
 *  4. one redirect at most, on GET only, to the same origin or from http to https of the same host redirectOf, vetRedirect
 *  5. status 200 only; any other answer is the same failure as a closed port                       vetAnswer
 *  6. no encoded answer: nothing is inflated on the way                                            sentHeaders, vetAnswer
 *  7. no text of the remote is passed on, neither into logs nor into answers                       asFailure
 *
 * A directory of this machine is not reached over the network: local-git.ts reads it, if the deployment allows it.
 *
 * The cost of a remote is bounded elsewhere, in small files of their own, by the figures of config.ts:
 *
 *  8. bytes received, requests, objects and bytes inflated, charged before they are allocated      ../budget.ts
 *  9. silence of `idleMs`                                                                          guarded-http.ts, local-git.ts
 * 10. the time of a whole verification                                                             ../judge/answer-question.ts
 * 11. a process of its own with a bounded heap, ended when it is late                              ../worker/judging-process.ts, worker-pool.ts
 * 12. verifications at once and waiting, of one tenant and of all, fairly between tenants          @plat/fair-slots
 */

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Guards 1 and 2. @throws RemoteFailure */
export function vetUrl(url: URL, config: VerifierConfig): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && config.allowHttp)) {
    throw refused('scheme not allowed');
  }
  if (url.username !== '' || url.password !== '') throw refused('credentials in the address');
  // The URL parser converts every spelling of an IPv4 address (hex, octal, one number) to four decimals.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isOpen(literal, url, config)) {
    throw unreadable(`the address ${literal} is not allowed`);
  }
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Whether a connection for this URL may go to the address: a public one, or one that the operator opens. */
function isOpen(address: string, url: URL, config: VerifierConfig): boolean {
  if (isAddressAllowed(address, config)) return true;
  const place = { host: url.hostname, port: Number(url.port) || DEFAULT_PORTS[url.protocol]! };
  return new AllowedNetworks(config.allowedNetworks ?? []).allows(address, place);
}

/**
 * Guard 2, for the name of a URL. Literals do not get here: node:net connects to them without a lookup, after `vetUrl`.
 */
export function guardedLookup(url: URL, config: VerifierConfig): LookupFunction {
  return (hostname, options, callback) => {
    resolveHost(hostname, url, config).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Milliseconds for one name server, and the number of tries. */
const NAME_SERVER = { timeout: 3_000, tries: 2 };

/**
 * Resolves every address of a host and vets all of them. The connection goes to one of these without a second lookup,
 * so a DNS answer that changes after the check has no effect.
 *
 * @throws RemoteFailure remote_unreadable if the name is unknown or one of its addresses is not allowed
 */
async function resolveHost(hostname: string, url: URL, config: VerifierConfig): Promise<HostAddress[]> {
  const addresses = await addressesOf(hostname, config);
  if (addresses.length === 0) throw unreadable('host name without an address');
  const closed = addresses.find(({ address }) => !isOpen(address, url, config));
  if (closed !== undefined) throw unreadable(`the address ${closed.address} of ${hostname} is not allowed`);
  return addresses;
}

async function addressesOf(hostname: string, config: VerifierConfig): Promise<HostAddress[]> {
  if (isLocalhost(hostname)) return [hostAddress('127.0.0.1'), hostAddress('::1')];
  if (config.nameResolution === 'system') {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => hostAddress(address));
  }
  const resolver = new Resolver(NAME_SERVER);
  if (config.nameServers) resolver.setServers(config.nameServers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(hostAddress) : []));
}

/** Whether a name is the loopback by definition (RFC 6761). Such names are never sent to a name server. */
function isLocalhost(hostname: string): boolean {
  return hostname.toLowerCase().replace(/\.$/, '').split('.').at(-1) === 'localhost';
}

function hostAddress(address: string): HostAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/** Guard 4: the URL to which the request is sent once more, if there is one. */
export function redirectOf(request: GitHttpRequest, answer: IncomingMessage): string | undefined {
  if ((request.method ?? 'GET') !== 'GET' || !REDIRECTS.has(answer.statusCode ?? 0)) return undefined;
  return answer.headers.location;
}

/** Guard 4. @throws RemoteFailure */
export function vetRedirect(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw unreadable('unusable redirect');
  const to = new URL(location, from);
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname;
  const defaultPorts = from.port === '' && to.port === '';
  if (to.origin !== from.origin && !(upgraded && defaultPorts)) throw unreadable('redirect to another host');
  return to;
}

const STATUS_CAUSES: Record<number, string> = {
  401: 'the server asks for credentials (status 401)',
  403: 'the server forbids it (status 403)',
  404: 'the server has no such repository (status 404)',
};

/** Guards 5 and 6. @throws RemoteFailure */
export function vetAnswer(answer: IncomingMessage): void {
  const { statusCode = 0 } = answer;
  if (statusCode !== 200) throw unreadable(STATUS_CAUSES[statusCode] ?? 'status other than 200');
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unreadable('encoded answer');
}

/** The only headers that are sent; above all neither `authorization` nor `cookie`. */
const SENT_HEADERS = new Set(['accept', 'content-type', 'git-protocol']);

/** Guards 3 and 6. */
export function sentHeaders(request: GitHttpRequest): Record<string, string> {
  const asked = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    ...Object.fromEntries(asked.filter(([name]) => SENT_HEADERS.has(name))),
    'accept-encoding': 'identity',
    'user-agent': 'git/plat-verifier',
  };
}

const UNKNOWN_AUTHORITY = "the certificate's authority is not trusted: REPOSITORY_CA names others";

/** Phrases for the operator, by the code of an error. */
const ERROR_CAUSES: Record<string, string> = {
  ECONNREFUSED: 'connection refused: nothing listens there',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ENOTFOUND: 'host name without an address',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate names another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/** Guard 7. Errors of node:http contain hosts, addresses and parser states, so only fixed phrases are passed on. */
export function asFailure(error: unknown, signal: AbortSignal): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (signal.aborted) return unreadable('verification took too long');
  const { code = '', errors } = (error ?? {}) as { code?: string; errors?: { code?: string }[] };
  // If a name has several addresses, node:net reports the failure of each.
  const cause = ERROR_CAUSES[code] ?? ERROR_CAUSES[errors?.[0]?.code ?? ''];
  return unreadable(cause ?? 'connection failed or was cut');
}

/** IPv4 ranges without public repositories (IANA special-purpose registry, and cloud metadata). */
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
 * Ranges inside the one global unicast block that are not public hosts or wrap an IPv4 address (Teredo, 6to4). All
 * addresses outside that block are refused: loopback, link-local, unique local, multicast, IPv4-mapped, NAT64
 * (64:ff9b::).
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

/** Whether the verifier may connect to this address. Anything other than a plain IP address is refused. */
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
