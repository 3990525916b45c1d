import type { ErrorCode } from './errors';

export type ServiceName = 'reviews' | 'builds' | 'releases' | 'audit' | 'platform';

export const SERVICES: readonly ServiceName[] = ['reviews', 'builds', 'releases', 'audit', 'platform'];

/** Every route begins with it. An edge lets no other path through to the services. */
export const API_PREFIX = '/v1/';

/** How long the edge waits for an answer, in seconds: the default of most proxies. */
export const EDGE_TIMEOUT_SECONDS = 60;

/** The longest time that a request may prefer to wait for a change, in seconds. */
export const WAIT_SECONDS_MAX = 30;

/**
 * The subjects that a request can wait for: a review or a gate run by the id in its path; the line of the queue of
 * `targetBranch`, or of all queues without it; the status of a queue, which also shows its open threads and gate runs.
 */
export type WatchedKind = 'review' | 'gateRun' | 'queue' | 'status';

export interface RouteEntry {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The canonical template: permission key, audit path and OpenAPI path alike. */
  template: string;
  service: ServiceName;
  /** The status of a successful answer. */
  status: number;
  summary: string;
  /** Codes of its own, in addition to those that every route of its kind shares. */
  codes: readonly ErrorCode[];
  /** Answered without sign-in and without an audit row. */
  public?: true;
  /** Clients poll it: the answer has an entity tag, and is 304 if the caller names the current one. */
  revalidates?: true;
  /** `Prefer: wait=N` with the current tag holds the answer until this has changed. Only for a route that revalidates. */
  waits?: WatchedKind;
  /** Takes an Idempotency-Key: a repeated request is answered as the first one was, and does nothing. */
  keyed?: true;
  /** A field of the body that the audit row keeps as apiParameters. */
  auditedField?: string;
}

/** One route, with the codes of its own after the summary. */
export function route(
  service: ServiceName,
  line: `${RouteEntry['method']} ${typeof API_PREFIX}${string}`,
  entry: Omit<RouteEntry, 'service' | 'method' | 'template'>,
): RouteEntry {
  const [method, template] = line.split(' ') as [RouteEntry['method'], string];
  return { service, method, template, ...entry };
}

/** A route whose POST creates something, once for an Idempotency-Key. */
export function creation(
  service: ServiceName,
  line: `POST ${typeof API_PREFIX}${string}`,
  entry: Pick<RouteEntry, 'summary' | 'codes'>,
): RouteEntry {
  return route(service, line, { status: 201, keyed: true, ...entry });
}
