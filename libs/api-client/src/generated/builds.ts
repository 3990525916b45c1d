// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components, operations } from './builds.schema';

export type Build = components['schemas']['Build'];

export type BuildPage = components['schemas']['BuildPage'];

export type BuildQuery = NonNullable<operations['listBuilds']['parameters']['query']>;

export type CreateBuild = components['schemas']['CreateBuild'];

export type CreateReviewBuild = components['schemas']['CreateReviewBuild'];

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
