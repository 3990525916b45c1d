// Written by `npm run generate` from the service's controllers. Do not edit.
import { type ApiClient, segment } from '../api-client';

export interface Build {
  /** Assigned by the service */
  buildId: string;
  /** The tenant that the build belongs to */
  tenantId: string;
  /** The review that was built; exactly one of reviewId and environmentId */
  reviewId?: string;
  /** Present with reviewId */
  reviewName?: string;
  /** The environment that was built for */
  environmentId?: string;
  /** Present with environmentId */
  environmentName?: string;
  /** RECORDED by a client or CI, or the GATE of the merge queue */
  kind: 'RECORDED' | 'GATE';
  /** Whether the build succeeded */
  successful: boolean;
  /** The commit that was built */
  commitId: string;
  /** Present on RECORDED */
  version?: string;
  /** Why the build failed */
  failureDetail?: string;
  /** true on a successful GATE build that rests on the word of who reported it: neither the checkout nor the platform knows a gate of the commit. Absent on any other */
  vouched?: boolean;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

export interface BuildPage {
  /** Newest first */
  builds: Build[];
  /** Absent on the last page */
  nextCursor?: string;
}

export interface BuildQuery {
  /** Environment */
  environmentId?: string;
  /** Kind */
  kind?: 'RECORDED' | 'GATE';
  /** Outcome */
  successful?: 'true' | 'false';
  /** Earliest createdAt, inclusive */
  since?: string;
  /** Latest createdAt, inclusive */
  until?: string;
  /** nextCursor of the page before */
  cursor?: string;
  /** Rows a page: 50 unless given, 200 at most */
  limit?: string;
}

export interface CreateBuild {
  /** The caller's own environment that was built for */
  environmentId: string;
  /** The commit that was built */
  commitId: string;
  /** Whether the build succeeded */
  successful: boolean;
  /** A GATE build always has a review */
  kind?: 'RECORDED';
  /** The version that was built */
  version: string;
  /** Why the build failed */
  failureDetail?: string;
}

export interface CreateReviewBuild {
  /** The commit that was built */
  commitId: string;
  /** Whether the build succeeded */
  successful: boolean;
  /** RECORDED when absent */
  kind?: 'RECORDED' | 'GATE';
  /** Required for RECORDED, dropped for GATE */
  version?: string;
  /** Required on a failed GATE build */
  failureDetail?: string;
  /** Whether a successful GATE build rests on your word alone; refused as true on any other */
  vouched?: boolean;
  /** Must be the caller's own environment; not kept */
  environmentId?: string;
}

const BUILD_ANSWER = {
  buildId: 'id',
  tenantId: 'id',
  reviewId: 'id?',
  reviewName: 'string?',
  environmentId: 'id?',
  environmentName: 'string?',
  kind: 'string',
  successful: 'boolean',
  commitId: 'string',
  version: 'string?',
  failureDetail: 'string?',
  vouched: 'boolean?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const BUILD_PAGE_ANSWER = { builds: { listOf: BUILD_ANSWER }, nextCursor: 'string?' } as const;

/** The answers of the routes when they succeed. */
export const BUILDS_ANSWERS = {
  'GET /v1/builds': { statuses: [200], body: { one: BUILD_PAGE_ANSWER } },
  'POST /v1/builds': { statuses: [201], body: { one: BUILD_ANSWER }, keyed: true },
  'GET /v1/reviews/{review_id}/builds': { statuses: [200], body: { many: BUILD_ANSWER } },
  'POST /v1/reviews/{review_id}/builds': { statuses: [201], body: { one: BUILD_ANSWER }, keyed: true },
  'GET /v1/reviews/{review_id}/builds/{build_id}': { statuses: [200], body: { one: BUILD_ANSWER } },
} as const;

/**
 * Page through builds, with or without a review, newest first. `GET /v1/builds`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listBuilds(api: ApiClient, input: { query?: BuildQuery } = {}): Promise<BuildPage> {
  return api.send({
    method: 'GET',
    path: '/v1/builds',
    query: input.query,
    expected: BUILDS_ANSWERS['GET /v1/builds'],
  });
}

/**
 * Report a build of an environment, which moves no review. `POST /v1/builds`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createBuild(api: ApiClient, input: { body: CreateBuild }): Promise<Build> {
  return api.send({
    method: 'POST',
    path: '/v1/builds',
    body: input.body,
    expected: BUILDS_ANSWERS['POST /v1/builds'],
  });
}

/**
 * List a review's builds, newest first. `GET /v1/reviews/{review_id}/builds`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewBuilds(api: ApiClient, input: { reviewId: string }): Promise<Build[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/builds`,
    expected: BUILDS_ANSWERS['GET /v1/reviews/{review_id}/builds'],
  });
}

/**
 * Report a build of a review, which moves the review. `POST /v1/reviews/{review_id}/builds`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createReviewBuild(
  api: ApiClient,
  input: { reviewId: string; body: CreateReviewBuild },
): Promise<Build> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/builds`,
    body: input.body,
    expected: BUILDS_ANSWERS['POST /v1/reviews/{review_id}/builds'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Show one of a review's builds. `GET /v1/reviews/{review_id}/builds/{build_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getReviewBuild(api: ApiClient, input: { reviewId: string; buildId: string }): Promise<Build> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/builds/${segment(input.buildId)}`,
    expected: BUILDS_ANSWERS['GET /v1/reviews/{review_id}/builds/{build_id}'],
    about: { reviewId: input.reviewId, buildId: input.buildId },
  });
}
