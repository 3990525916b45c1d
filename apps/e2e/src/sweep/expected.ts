import type { RouteEntry } from '@plat/contracts/core';
import type { TestUser } from '@plat/testing';

/** The caller of a request: none, or a user for each role. */
export const CALLERS = ['nobody', 'dave', 'carol', 'ci', 'bob', 'alice', 'mallory', 'olga'] as const;
export type SweptCaller = 'nobody' | Extract<TestUser, (typeof CALLERS)[number]>;

/** The owner of the row that the ids in the path name. */
export const KINDS = ['own', 'foreign', 'missing', 'malformed'] as const;
export type IdKind = (typeof KINDS)[number];

const WORK = /^\/v1\/(reviews|builds|releases|gate-runs|environments)(\/|$)/;
const AGENT_WRITES =
  /^(POST \/v1\/builds|POST \/v1\/reviews\/merge-queue\/check|POST \/v1\/reviews\/\{review_id\}\/builds|PATCH \/v1\/reviews\/\{review_id\}\/status|(POST|PATCH) \/v1\/gate-runs.*)$/;

/** The routes that each caller's role permits, by the contract and independent of the stock roles' patterns. */
const PERMITS: Record<Exclude<SweptCaller, 'nobody'>, (route: RouteEntry) => boolean> = {
  /** No role. */
  dave: () => false,
  /** Reads, and advances without override-advance. */
  carol: ({ method, template }) => method === 'GET' || template === '/v1/reviews/merge-queue/advance',
  /** TenantAgent: "reports builds, statuses and gate runs", reads the work and itself. */
  ci: ({ method, template }) =>
    method === 'GET'
      ? WORK.test(template) || template === '/v1/whoami'
      : AGENT_WRITES.test(`${method} ${template}`),
  /** TenantUser: everything about work and environments. */
  bob: ({ method, template }) => method === 'GET' || WORK.test(template),
  alice: () => true,
  mallory: () => true,
  olga: () => true,
};

/** The outcome of a request, as its route, caller and kind of id determine it. */
export type Outcome = 'unauthenticated' | 'forbidden' | 'malformed' | 'absent' | 'not_author' | 'reached';

/** The order of refusals: 401, then 403, then INVALID_PATH_ID, then what the tenant does not have. */
export function outcomeOf(route: RouteEntry, caller: SweptCaller, kind: IdKind): Outcome {
  if (route.public) return 'reached';
  if (caller === 'nobody') return 'unauthenticated';
  if (!PERMITS[caller](route)) return 'forbidden';
  if (kind === 'malformed') return 'malformed';
  if (kind === 'missing') return 'absent';
  // The operations tenant reads the rows of all tenants, but owns none of those in the sweep.
  if (caller === 'olga') return route.method === 'GET' ? 'reached' : 'absent';
  if (kind === 'foreign') return 'absent';
  return isAuthorsOwn(route) && caller === 'bob' ? 'not_author' : 'reached';
}

/** "Only the thread's root-comment author may close it". Administrators wrote the sweep's threads. */
const isAuthorsOwn = ({ template }: RouteEntry): boolean =>
  template.endsWith('/comments/{comment_id}/status');
