import type { IncomingMessage } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];
/** A host with or without a port. The delimiters of a URL would move the host to another place in it. */
const AUTHORITY = /^[^\s/\\?#@]+$/;

/** The host names of a server on the address, including those that the user allows. */
export function ownHosts(address: string, allowed: readonly string[]): ReadonlySet<string> {
  const bound = EVERY_ADDRESS.includes(address) ? [] : [address.includes(':') ? `[${address}]` : address];
  return new Set([...LOOPBACK, ...bound, ...allowed].map((host) => host.toLowerCase()));
}

/**
 * The reason why a request must not be answered: a page in a browser may have sent it, and the tools act as the
 * signed-in person. Such a page sends its own origin. If it has rebound its name to this machine, it sends that name
 * as the host. A target with a host of its own is refused: by the rules of HTTP it wins over the header Host, and a
 * proxy may have chosen this server by the one and passed the other on.
 */
export function foreignRequest(request: IncomingMessage, own: ReadonlySet<string>): string | undefined {
  const { origin } = request.headers;
  if (request.url?.startsWith('/') !== true) return 'The request target is no path.';
  const [host, ...others] = request.headersDistinct.host ?? [];
  if (
    host === undefined ||
    others.length > 0 ||
    !AUTHORITY.test(host) ||
    !own.has(hostname(`http://${host}`))
  ) {
    return 'The Host header names another host.';
  }
  if (origin !== undefined && !own.has(hostname(origin))) return 'The Origin header names another host.';
  return undefined;
}

function hostname(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
