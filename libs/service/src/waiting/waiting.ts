import { isBranchName, isId, pathParameters, type RouteEntry } from '@plat/contracts/core';
import { preferredWait } from '../request/preference';
import type { PlatRequest } from '../request/request';
import type { WatchedKey } from './waiters';

/** The subject that a request may wait for, without the scope of its caller. */
export type Subject = Pick<WatchedKey, 'kind' | 'id'>;

/**
 * Returns the subject of a request, if its route can wait. Undefined for one that the route is going to refuse: only
 * names and ids that the database can read are asked for, since one statement asks for all.
 */
export function subjectOf(request: PlatRequest, { waits, template }: RouteEntry): Subject | undefined {
  if (!waits) return undefined;
  const [parameter] = pathParameters(template);
  if (parameter !== undefined) {
    const id = request.params[parameter] ?? '';
    return isId(id) ? { kind: waits, id: id.toLowerCase() } : undefined;
  }
  const { targetBranch: id } = request.query;
  if (id === undefined) return waits === 'queue' ? { kind: waits, id } : undefined;
  return typeof id === 'string' && isBranchName(id) ? { kind: waits, id } : undefined;
}

/** The seconds that a request prefers to wait. A caller who names no tag has nothing, and is answered at once. */
export function secondsToWait({ headers }: PlatRequest): number | undefined {
  const { prefer } = headers;
  if (headers['if-none-match'] === undefined) return undefined;
  return preferredWait(Array.isArray(prefer) ? prefer.join(',') : prefer);
}
