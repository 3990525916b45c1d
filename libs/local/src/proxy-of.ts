import { BlockList, isIP } from 'node:net';

/** The variables of a process about proxies; each is empty if it is not set. */
export interface ProxyVariables {
  /** For servers with http. */
  http: string;
  /** For servers with https. */
  https: string;
  /** Servers that are reached without it: names, addresses and CIDR blocks, each with a port or not; `*` for all. */
  except: string;
}

/**
 * The proxy through which a server is reached: the platform, an identity provider, and an API server whose kubeconfig
 * names no proxy. The rules are those of Go, and so of kubectl: https://pkg.go.dev/golang.org/x/net/http/httpproxy
 *
 * @returns an address; undefined: no proxy
 */
export function proxyOf(server: string, { http, https, except }: ProxyVariables): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, hostname, port } = new URL(server);
  const proxy = protocol === 'https:' ? https : http;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (proxy === '' || isLoopback(host)) return undefined;
  const place = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  if (except.split(',').some((entry) => covers(entry.trim().toLowerCase(), place))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Whether an entry of the exceptions is about a server. */
function covers(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry === '' || entry === '*') return entry === '*';
  const [, address, length] = /^([^/]+)\/(\d+)$/.exec(entry) ?? [];
  if (address !== undefined) return isWithin(host, address, Number(length));
  const [, name = entry, ofPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (ofPort !== undefined && ofPort !== port) return false;
  const bare = name.replace(/^\[|\]$|^\*(?=\.)/g, '');
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isWithin(host: string, address: string, length: number): boolean {
  const [of, family] = [isIP(address), isIP(host)];
  if (of === 0 || of !== family || length > (of === 4 ? 32 : 128)) return false;
  const block = new BlockList();
  block.addSubnet(address, length, of === 4 ? 'ipv4' : 'ipv6');
  return block.check(host, of === 4 ? 'ipv4' : 'ipv6');
}
