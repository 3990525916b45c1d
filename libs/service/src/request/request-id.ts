import type { IncomingHttpHeaders } from 'node:http';

const CALLERS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id that a caller gave its request; undefined if there is none or it cannot be stored. It is stored next to the
 * service's own id and never instead of it, since callers of two tenants may give the same id.
 */
export function callerRequestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && CALLERS_ID.test(given) ? given : undefined;
}
