import { TEST_TENANTS } from '@plat/testing';
import { CONNECTIONS, type LoadRequest } from './load';
import type { Seed, SeededReview } from './seed';

/** One kind of request that is measured. */
export interface Workload {
  name: string;
  service: 'reviews' | 'builds';
  user: 'alice' | 'mallory';
  next(connection: number): LoadRequest | undefined;
  /** The yardsticks that the service is compared with. */
  yardsticks: Yardstick[];
  /** Restores what a round has used up. */
  restore?(): Promise<void>;
}

/** A measure for a workload: the same or less work by the limit server, or other work by the service. */
export interface Yardstick {
  name: string;
  server: 'limit' | 'service';
  /** Least ratio of the workload's requests per second to the yardstick's. */
  goal: number;
  next(connection: number): LoadRequest | undefined;
}

const limit = (goal: number, next: Yardstick['next']): Yardstick => ({
  name: 'limit',
  server: 'limit',
  goal,
  next,
});

/** Number of reviews that GET /v1/reviews lists. */
const LISTED_REVIEWS = 100;
const BUILT_REVIEWS_PER_CONNECTION = 8;
/** Most advances of a round. A round that has used them up ends. */
const WAITING_REVIEWS = 8_000;

/** Seeds the database. @returns what is measured on it */
export async function prepareWorkloads(seed: Seed): Promise<Workload[]> {
  const listed = await seed.openReviews('alice', 'listed', LISTED_REVIEWS);
  const answered = {
    get: getOne(listed),
    list: list(),
    build: await postBuild(seed),
    advance: await advance(seed),
  };
  return [...Object.values(answered), ...refusals(answered)];
}

/** A refusal may cost the service at most this many times as much as an answer. */
const REFUSAL_COST_MAX = 1.3;

function refusals({ get, build, advance }: Record<'get' | 'build' | 'advance', Workload>): Workload[] {
  const nobody = '00000000-0000-0000-0000-000000000000';
  const report = JSON.stringify({ commitId: 'b'.repeat(40), version: '1.0.0', successful: true });
  const post = (path: string, body: string) => ({ method: 'POST', path, body, refusedWith: 404 }) as const;
  return [
    refusal('GET refused (404)', get, { method: 'GET', path: `/v1/reviews/${nobody}`, refusedWith: 404 }),
    refusal('build refused (404)', build, post(`/v1/reviews/${nobody}/builds`, report)),
    refusal(
      'advance refused (404)',
      advance,
      post('/v1/reviews/merge-queue/advance', JSON.stringify({ targetBranch: 'empty' })),
    ),
  ];
}

/** Compares a request that the service refuses with the same kind of request that it answers. */
function refusal(name: string, answered: Workload, request: LoadRequest): Workload {
  const { next, restore } = answered;
  return {
    ...answered,
    name,
    next: () => request,
    yardsticks: [{ name: answered.name, server: 'service', goal: 1 / REFUSAL_COST_MAX, next }],
    restore,
  };
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
    yardsticks: [limit(0.8, next), { name: 'bare select', server: 'limit', goal: 0.65, next: bareSelect }],
  };
}

/** Like `GET one review`, by the user who reports builds, and compared with nothing. */
export async function getOwn(seed: Seed): Promise<Workload> {
  const workload = getOne(await seed.openReviews('mallory', 'own', LISTED_REVIEWS));
  return { ...workload, user: 'mallory', yardsticks: [] };
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
 * Every report moves its review: a green one to READY and, because its queue is idle, on to MERGE; the next one is red
 * and moves it to FAILED. No two connections share a review, so that no report overtakes another.
 */
export async function postBuild(seed: Seed): Promise<Workload> {
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

/** Every advance promotes the one review that waits on a target branch. After each round these are requeued. */
export async function advance(seed: Seed): Promise<Workload> {
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
