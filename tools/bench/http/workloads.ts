import { TEST_TENANTS } from '@plat/testing';
import { CONNECTIONS, type LoadRequest } from './load';
import type { Seed, SeededReview } from './seed';

/** One kind of request that is measured. */
export interface Workload {
  name: string;
  service: 'reviews' | 'builds';
  user: 'alice' | 'mallory';
  next(connection: number): LoadRequest | undefined;
  /** What the service is compared with. */
  yardsticks: Yardstick[];
  /** Makes what a round has used up ready for the next. */
  restore?(): Promise<void>;
}

/** A comparison: the same work by the limit server, or less than that. */
export interface Yardstick {
  name: string;
  /** Least ratio of the service's requests per second to these. */
  goal: number;
  next(connection: number): LoadRequest | undefined;
}

const limit = (goal: number, next: Yardstick['next']): Yardstick => ({ name: 'limit', goal, next });

/** What GET /v1/reviews lists. */
const LISTED_REVIEWS = 100;
const BUILT_REVIEWS_PER_CONNECTION = 8;
/** Advances of a round at most: a round that has used them up ends. */
const WAITING_REVIEWS = 8_000;

/** Seeds the database and answers what is measured on it. */
export async function prepareWorkloads(seed: Seed): Promise<Workload[]> {
  const listed = await seed.openReviews('alice', 'listed', LISTED_REVIEWS);
  return [getOne(listed), list(), await postBuild(seed), await advance(seed)];
}

function getOne(reviews: SeededReview[]): Workload {
  let asked = 0;
  const below = (folder: string) => (): LoadRequest => ({
    method: 'GET',
    path: `${folder}/${reviews[asked++ % reviews.length]!.reviewId}`,
  });
  const next = below('/v1/reviews');
  const bareSelect = below(`/bare/${TEST_TENANTS.acme.tenantId}`);
  return {
    name: 'GET one review',
    service: 'reviews',
    user: 'alice',
    next,
    yardsticks: [limit(0.8, next), { name: 'bare select', goal: 0.65, next: bareSelect }],
  };
}

function list(): Workload {
  const next = (): LoadRequest => ({ method: 'GET', path: '/v1/reviews' });
  return {
    name: `list ${LISTED_REVIEWS} reviews`,
    service: 'reviews',
    user: 'alice',
    next,
    yardsticks: [limit(0.6, next)],
  };
}

/**
 * Every report moves its review: a green one to READY and, its queue being idle, on to MERGE; the next, red, to FAILED.
 * A connection has reviews of its own, so that no report overtakes another.
 */
async function postBuild(seed: Seed): Promise<Workload> {
  const reviews = await seed.openReviews('mallory', 'built', CONNECTIONS * BUILT_REVIEWS_PER_CONNECTION);
  const reports = new Array<number>(CONNECTIONS).fill(0);
  const next = (connection: number): LoadRequest => {
    const report = reports[connection]!++;
    const place = connection * BUILT_REVIEWS_PER_CONNECTION + (report % BUILT_REVIEWS_PER_CONNECTION);
    const successful = Math.floor(report / BUILT_REVIEWS_PER_CONNECTION) % 2 === 0;
    const body = { commitId: 'b'.repeat(40), version: '1.0.0', successful };
    const path = `/v1/reviews/${reviews[place]!.reviewId}/builds`;
    return { method: 'POST', path, body: JSON.stringify(body) };
  };
  return { name: 'POST build', service: 'builds', user: 'mallory', next, yardsticks: [limit(0.7, next)] };
}

/** Every advance promotes the one review that waits on a target branch; between rounds all are requeued. */
async function advance(seed: Seed): Promise<Workload> {
  const reviews = await seed.readyReviews('mallory', 'waiting', WAITING_REVIEWS);
  let used = 0;
  const next = (): LoadRequest | undefined => {
    const review = reviews[used++];
    const body = review && JSON.stringify({ targetBranch: review.targetBranch });
    return body === undefined ? undefined : { method: 'POST', path: '/v1/reviews/merge-queue/advance', body };
  };
  return {
    name: 'advance',
    service: 'reviews',
    user: 'mallory',
    next,
    yardsticks: [limit(0.7, next)],
    restore: async () => {
      await seed.requeue(reviews.slice(0, used));
      used = 0;
    },
  };
}
