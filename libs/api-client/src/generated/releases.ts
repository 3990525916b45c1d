// Written by `npm run generate` from the service's controllers. Do not edit.
import { type ApiClient, segment } from '../api-client';

export interface CreateRelease {
  /** The review whose merge is released */
  reviewId?: string;
  /** The branch that was merged onto */
  targetBranch: string;
  /** The merge commit */
  commitId: string;
}

export interface Release {
  /** Assigned by the service */
  releaseId: string;
  /** The tenant that the release belongs to */
  tenantId: string;
  /** The review whose merge it releases; absent when triggered directly */
  reviewId?: string;
  /** The branch that was merged onto */
  targetBranch: string;
  /** The merge commit; one release per tenant and commit */
  commitId: string;
  /** Where the release stands */
  status: 'queued' | 'running' | 'released' | 'failed';
  /** Raised each time a failed release is queued again */
  attempt: number;
  /** Only on released */
  version?: string;
  /** The build recorded for this release */
  buildId?: string;
  /** Only on failed: the release's own output */
  failureReason?: string;
  /** RFC 3339 UTC */
  createdAt: string;
  /** RFC 3339 UTC */
  updatedAt: string;
}

export interface ReleaseFilters {
  /** Target branch */
  targetBranch?: string;
  /** Review */
  reviewId?: string;
  /** Status */
  status?: 'queued' | 'running' | 'released' | 'failed';
}

const RELEASE_ANSWER = {
  releaseId: 'id',
  tenantId: 'id',
  reviewId: 'id?',
  targetBranch: 'string',
  commitId: 'string',
  status: 'string',
  attempt: 'integer',
  version: 'string?',
  buildId: 'id?',
  failureReason: 'string?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

/** The answers of the routes when they succeed. */
export const RELEASES_ANSWERS = {
  'POST /v1/releases': { statuses: [200, 201], body: { one: RELEASE_ANSWER }, keyed: true },
  'GET /v1/releases': { statuses: [200], body: { many: RELEASE_ANSWER } },
  'GET /v1/releases/{release_id}': { statuses: [200], body: { one: RELEASE_ANSWER } },
  'GET /v1/reviews/{review_id}/releases': { statuses: [200], body: { many: RELEASE_ANSWER } },
} as const;

/**
 * Queue the release of a merge commit (200 when it has one already). `POST /v1/releases`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createRelease(api: ApiClient, input: { body: CreateRelease }): Promise<Release> {
  return api.send({
    method: 'POST',
    path: '/v1/releases',
    body: input.body,
    expected: RELEASES_ANSWERS['POST /v1/releases'],
  });
}

/**
 * List releases, newest first. `GET /v1/releases`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listReleases(api: ApiClient, input: { query?: ReleaseFilters } = {}): Promise<Release[]> {
  return api.send({
    method: 'GET',
    path: '/v1/releases',
    query: input.query,
    expected: RELEASES_ANSWERS['GET /v1/releases'],
  });
}

/**
 * Show one release. `GET /v1/releases/{release_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getRelease(api: ApiClient, input: { releaseId: string }): Promise<Release> {
  return api.send({
    method: 'GET',
    path: `/v1/releases/${segment(input.releaseId)}`,
    expected: RELEASES_ANSWERS['GET /v1/releases/{release_id}'],
    about: { releaseId: input.releaseId },
  });
}

/**
 * List the releases that a review produced, newest first. `GET /v1/reviews/{review_id}/releases`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewReleases(api: ApiClient, input: { reviewId: string }): Promise<Release[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/releases`,
    expected: RELEASES_ANSWERS['GET /v1/reviews/{review_id}/releases'],
  });
}
