/** Scheme and authority of a target in absolute form (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** A percent sign that begins no escape. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * The target of a request in a form that every router reads: a path that begins with a slash, and its query. Invalid
 * escapes stay as literal text, so that a malformed id is refused after the caller is known, like any other id. So does
 * "#", which no target may contain: a router would end the path there, and an edge that reads on would have judged another
 * path.
 */
export function routableTarget(target: string): string {
  const local = target.replace(ORIGIN, '');
  const rooted = local.startsWith('/') ? local : `/${local}`;
  const [path = ''] = rooted.split('?', 1);
  return decodablePath(path).replaceAll('#', '%23') + rooted.slice(path.length);
}

function decodablePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

function isDecodable(segment: string): boolean {
  if (segment.search(LONE_PERCENT) >= 0) return false;
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
