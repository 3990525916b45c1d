// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components, operations } from './builds.schema';

export type Build = components['schemas']['Build'];

export type BuildPage = components['schemas']['BuildPage'];

export type BuildQuery = NonNullable<operations['listBuilds']['parameters']['query']>;

export type CreateBuild = components['schemas']['CreateBuild'];

export type CreateReviewBuild = components['schemas']['CreateReviewBuild'];

/**
 * Page through builds, with or without a review, newest first. `GET /v1/builds`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listBuilds(api: ApiClient, input: { query?: BuildQuery } = {}): Promise<BuildPage> {
  return api.send({ method: 'GET', path: '/v1/builds', query: input.query });
}

/**
 * Report a build of an environment, which moves no review. `POST /v1/builds`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, NOT_FOUND
 */
export function createBuild(api: ApiClient, input: { body: CreateBuild }): Promise<Build> {
  return api.send({ method: 'POST', path: '/v1/builds', body: input.body });
}

/**
 * List a review's builds, newest first. `GET /v1/reviews/{review_id}/builds`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewBuilds(api: ApiClient, input: { reviewId: string }): Promise<Build[]> {
  return api.send({ method: 'GET', path: `/v1/reviews/${segment(input.reviewId)}/builds` });
}

/**
 * Report a build of a review, which moves the review. `POST /v1/reviews/{review_id}/builds`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, NOT_FOUND
 */
export function createReviewBuild(
  api: ApiClient,
  input: { reviewId: string; body: CreateReviewBuild },
): Promise<Build> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/builds`,
    body: input.body,
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
  });
}
