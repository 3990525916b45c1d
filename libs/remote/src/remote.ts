import { REPOSITORY_LENGTH_MAX } from '@plat/contracts/core';

/** A remote that names a repository on a host or in a directory of this machine. */
export type Remote =
  | { scheme: 'http' | 'https' | 'ssh' | 'git'; host: string; port?: string; path: string }
  | { scheme: 'file'; path: string };

const SSH_SPELLINGS = new Set(['ssh', 'git+ssh', 'ssh+git']);
const UNUSABLE_CHARACTER = /[\p{Cc}\p{Surrogate}]/u;
const UNUSABLE_IN_URL_PATH = /[\s?#\\]/;
/** `helper::address` makes git run the program git-remote-helper, whatever follows. */
const REMOTE_HELPER = /^[a-z0-9+.-]{0,64}::/i;
/** Programs that get the user as an argument, such as ssh, would take it for an option. */
const OPTION = /^(?:-|%2d)/i;
const URL_START = /^([a-z][a-z0-9+]{0,15}):\/\//i;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9._-]{0,253}[a-z0-9_])?$/;
const IPV6_LITERAL = /^\[[0-9a-f:.]{2,45}\]$/;
const PORT = /^[1-9][0-9]{0,4}$/;
/** A URL parser resolves these in either spelling, so that the fetched path would differ from the named one. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Reads a git remote: a URL, an scp-like `user@host:path` or an absolute local path.
 * The path starts with a slash, ends without one and still carries its `.git`; user names and passwords are dropped.
 *
 * @returns undefined when the text names no repository: a host alone, a relative path, a shorthand (`o/r`),
 * a scheme that git doesn't fetch over, a query or a fragment, dot segments, a remote helper (`ext::…`), a user that
 * begins with a hyphen.
 */
export function parseRemote(text: string): Remote | undefined {
  if (text.length > REPOSITORY_LENGTH_MAX) return undefined;
  const remote = text.trim();
  if (UNUSABLE_CHARACTER.test(remote) || REMOTE_HELPER.test(remote)) return undefined;
  if (remote.startsWith('/')) return fileRemote(remote);
  const start = URL_START.exec(remote);
  if (!start) return scpLikeRemote(remote);
  const scheme = (start[1] ?? '').toLowerCase();
  const rest = remote.slice(start[0].length);
  return scheme === 'file' ? fileUrlRemote(rest) : hostedRemote(scheme, rest);
}

/**
 * The remote as it is written, without the user name and password of its URL, however long they are. The user of an
 * scp-like remote stays, since it is part of the address; a password next to it goes.
 */
export function withoutCredentials(text: string): string {
  const remote = text.trim();
  const scheme = URL_START.exec(remote)?.[0] ?? '';
  const rest = remote.slice(scheme.length);
  const end = scheme === '' ? scpLikeColon(rest) : rest.indexOf('/');
  const authority = rest.slice(0, Math.max(end, 0));
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const isKept = scheme === '' && (user.includes('/') || !user.includes(':'));
  return isKept ? remote : `${scheme}${rest.slice(user.length)}`;
}

function hostedRemote(spelling: string, rest: string): Remote | undefined {
  const scheme = SSH_SPELLINGS.has(spelling) ? 'ssh' : spelling;
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'ssh' && scheme !== 'git') return undefined;
  const slash = rest.indexOf('/');
  if (slash < 0) return undefined;
  const authority = parseAuthority(rest.slice(0, slash));
  const path = urlPath(rest.slice(slash));
  return authority && path !== undefined ? { scheme, ...authority, path } : undefined;
}

/** Returns where the host of an scp-like remote ends; -1 if there is none. */
function scpLikeColon(remote: string): number {
  const at = remote.indexOf('@') + 1;
  const bracketEnd = remote[at] === '[' ? remote.indexOf(']', at) : at;
  return remote.indexOf(':', Math.max(bracketEnd, 0));
}

/** Reads `host:path` as git does: any text before a colon that stands before the first slash is the host. */
function scpLikeRemote(remote: string): Remote | undefined {
  const colon = scpLikeColon(remote);
  const slash = remote.indexOf('/');
  if (colon < 0 || (slash >= 0 && slash < colon)) return undefined;
  // Readers of addresses other than git take two colons after a host for a remote helper too.
  if (remote[colon + 1] === ':') return undefined;
  const authority = parseAuthority(remote.slice(0, colon));
  const path = urlPath(`/${remote.slice(colon + 1).replace(/^\/{1,9}/, '')}`);
  return authority && path !== undefined ? { scheme: 'ssh', ...authority, path } : undefined;
}

function parseAuthority(authority: string): { host: string; port?: string } | undefined {
  if (OPTION.test(authority)) return undefined;
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const colon = hostAndPort.indexOf(':', hostAndPort.indexOf(']') + 1);
  const host = canonicalHost(colon < 0 ? hostAndPort : hostAndPort.slice(0, colon));
  if (host === undefined) return undefined;
  if (colon < 0) return { host };
  const port = hostAndPort.slice(colon + 1);
  return PORT.test(port) && Number(port) <= 65_535 ? { host, port } : undefined;
}

/** One spelling for every form of an address: `0x7f.1` and `127.0.0.1` are one host. */
function canonicalHost(host: string): string | undefined {
  if ((!HOST_NAME.test(host) && !IPV6_LITERAL.test(host)) || host.includes('..')) return undefined;
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : undefined;
}

function urlPath(path: string): string | undefined {
  return UNUSABLE_IN_URL_PATH.test(path) ? undefined : repositoryPath(path);
}

function fileUrlRemote(encodedPath: string): Remote | undefined {
  if (!encodedPath.startsWith('/')) return undefined;
  try {
    return fileRemote(decodeURIComponent(encodedPath));
  } catch {
    return undefined;
  }
}

function fileRemote(path: string): Remote | undefined {
  if (UNUSABLE_CHARACTER.test(path)) return undefined;
  const kept = repositoryPath(path);
  return kept === undefined ? undefined : { scheme: 'file', path: kept };
}

/** A path without the slashes at its end; undefined when nothing is left, or when it has dot segments. */
export function repositoryPath(path: string): string | undefined {
  const kept = withoutTrailingSlashes(path);
  return kept === '' || kept.split('/').some((segment) => DOT_SEGMENT.test(segment)) ? undefined : kept;
}

/** A loop, because the regular expression for it takes quadratic time on a long row of slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
