// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components } from './builds.schema';

export type Build = components['schemas']['Build'];

export type CreateReviewBuild = components['schemas']['CreateReviewBuild'];

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
