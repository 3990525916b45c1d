import type { ErrorCode } from './errors';

export type ServiceName = 'reviews' | 'builds' | 'releases' | 'audit' | 'platform';

export const SERVICES: readonly ServiceName[] = ['reviews', 'builds', 'releases', 'audit', 'platform'];

/** How long the edge waits for an answer, in seconds: the default of most proxies. */
export const EDGE_TIMEOUT_SECONDS = 60;

export interface RouteEntry {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The canonical template: permission key, audit path and OpenAPI path alike. */
  template: string;
  service: ServiceName;
  /** The status of a successful answer. */
  status: number;
  summary: string;
  /** Codes of its own, beside those that every route of its kind shares. */
  codes: readonly ErrorCode[];
  /** Answered without sign-in and without an audit row. */
  public?: true;
  /** Clients poll it: the answer has an entity tag, and is 304 if the caller names the current one. */
  revalidates?: true;
  /** A field of the body that the audit row keeps as apiParameters. */
  auditedField?: string;
}

/** One route, with the codes of its own after the summary. */
export function route(
  service: ServiceName,
  line: `${RouteEntry['method']} /v1/${string}`,
  entry: Omit<RouteEntry, 'service' | 'method' | 'template'>,
): RouteEntry {
  const [method, template] = line.split(' ') as [RouteEntry['method'], string];
  return { service, method, template, ...entry };
}
