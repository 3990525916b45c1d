import type { IncomingHttpHeaders } from 'node:http';

const CALLERS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id that a caller gave its request; undefined when it gave none that can be kept. It is kept beside the service's
 * own id and never in its place: callers of two tenants may give the same.
 */
export function callerRequestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && CALLERS_ID.test(given) ? given : undefined;
}
