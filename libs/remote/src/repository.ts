import { parseRemote, type Remote, repositoryPath } from './remote';

/**
 * The identity of the repository that a remote names: an SSH remote and its HTTPS form are one,
 * with and without user name, `.git` or trailing slash. Path case, explicit ports and http are kept apart;
 * `ssh://` with a port stays ssh. Every form of a local directory becomes `file:///path`.
 *
 * Exactly one `.git` is dropped, so only a repository named `x.git.git` changes when it is canonicalized again.
 *
 * @returns undefined when the remote names no repository (empty, a bare forge, a relative or shorthand form).
 * Spec: API, Repository identity, rule 1; Rule B2.
 */
export function canonicalRepository(remote: string): string | undefined {
  const parsed = parseRemote(remote);
  if (!parsed) return undefined;
  const path = repositoryPath(parsed.path.replace(/\.git$/, ''));
  if (path === undefined) return undefined;
  if (parsed.scheme === 'ssh' && parsed.port === undefined) {
    return address({ ...parsed, scheme: 'https', path });
  }
  return address({ ...parsed, path });
}

/**
 * The address from which the repository is read without any credential: HTTPS of the same host for an SSH remote, a
 * file URL for a local directory. It keeps `.git` and drops user name and password.
 *
 * @returns undefined when the remote names no repository, or one that only the git protocol reaches.
 * Spec: API, MERGED report verification, condition A2; Rule B2.
 */
export function fetchAddress(remote: string): string | undefined {
  const parsed = parseRemote(remote);
  if (!parsed || parsed.scheme === 'git' || canonicalRepository(remote) === undefined) return undefined;
  return parsed.scheme === 'ssh'
    ? address({ scheme: 'https', host: parsed.host, path: parsed.path })
    : address(parsed);
}

function address(remote: Remote): string {
  if (remote.scheme === 'file') return `file://${encodeFilePath(remote.path)}`;
  const port = remote.port === undefined ? '' : `:${remote.port}`;
  return `${remote.scheme}://${remote.host}${port}${remote.path}`;
}

/** Also encodes `?` and `#`, which `encodeURI` leaves and which would start a query or a fragment. */
function encodeFilePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
