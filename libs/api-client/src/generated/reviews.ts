// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components, operations } from './reviews.schema';

export type AddReviewer = components['schemas']['AddReviewer'];

export type AdvanceMergeQueue = components['schemas']['AdvanceMergeQueue'];

export type Comment = components['schemas']['Comment'];

export type CreateComment = components['schemas']['CreateComment'];

export type CreateGateRun = components['schemas']['CreateGateRun'];

export type CreateReview = components['schemas']['CreateReview'];

export type GateRun = components['schemas']['GateRun'];

export type GateRunPage = components['schemas']['GateRunPage'];

export type GateRunQuery = NonNullable<operations['listGateRuns']['parameters']['query']>;

export type MergeQueueFilters = NonNullable<operations['listMergeQueue']['parameters']['query']>;

export type MergeReceipt = components['schemas']['MergeReceipt'];

export type MergeReceiptKeySet = components['schemas']['MergeReceiptKeySet'];

export type OverrideAdvanceMergeQueue = components['schemas']['OverrideAdvanceMergeQueue'];

export type Review = components['schemas']['Review'];

export type ReviewFilters = NonNullable<operations['listReviews']['parameters']['query']>;

export type Reviewer = components['schemas']['Reviewer'];

export type UpdateCommentStatus = components['schemas']['UpdateCommentStatus'];

export type UpdateGateRun = components['schemas']['UpdateGateRun'];

export type UpdateReviewStatus = components['schemas']['UpdateReviewStatus'];

/**
 * List the reviews that wait, in queue order. `GET /v1/reviews/merge-queue`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listMergeQueue(api: ApiClient, input: { query?: MergeQueueFilters } = {}): Promise<Review[]> {
  return api.send({ method: 'GET', path: '/v1/reviews/merge-queue', query: input.query });
}

/**
 * Promote the head of a queue to MERGE. `POST /v1/reviews/merge-queue/advance`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS
 */
export function advanceMergeQueue(api: ApiClient, input: { body: AdvanceMergeQueue }): Promise<Review> {
  return api.send({ method: 'POST', path: '/v1/reviews/merge-queue/advance', body: input.body });
}

/**
 * Promote the head of a queue although it has open comment threads. `POST /v1/reviews/merge-queue/override-advance`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS
 */
export function overrideAdvanceMergeQueue(
  api: ApiClient,
  input: { body: OverrideAdvanceMergeQueue },
): Promise<Review> {
  return api.send({ method: 'POST', path: '/v1/reviews/merge-queue/override-advance', body: input.body });
}

/**
 * List reviews, newest first. `GET /v1/reviews`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listReviews(api: ApiClient, input: { query?: ReviewFilters } = {}): Promise<Review[]> {
  return api.send({ method: 'GET', path: '/v1/reviews', query: input.query });
}

/**
 * Propose a source branch onto a target branch. `POST /v1/reviews`
 *
 * @throws ApiFault INVALID_BODY, INVALID_REPOSITORY, CONFLICT
 */
export function createReview(api: ApiClient, input: { body: CreateReview }): Promise<Review> {
  return api.send({ method: 'POST', path: '/v1/reviews', body: input.body });
}

/**
 * Show one review. `GET /v1/reviews/{review_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getReview(api: ApiClient, input: { reviewId: string }): Promise<Review> {
  return api.send({ method: 'GET', path: `/v1/reviews/${segment(input.reviewId)}` });
}

/**
 * Report what became of a review. `PATCH /v1/reviews/{review_id}/status`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_TRANSITION, NOT_FOUND, REVIEW_NOT_MERGING, MERGE_NOT_VERIFIED, CONFLICT
 */
export function updateReviewStatus(
  api: ApiClient,
  input: { reviewId: string; body: UpdateReviewStatus },
): Promise<Review> {
  return api.send({
    method: 'PATCH',
    path: `/v1/reviews/${segment(input.reviewId)}/status`,
    body: input.body,
  });
}

/**
 * List who is assigned to review, oldest assignment first. `GET /v1/reviews/{review_id}/reviewers`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewers(api: ApiClient, input: { reviewId: string }): Promise<Reviewer[]> {
  return api.send({ method: 'GET', path: `/v1/reviews/${segment(input.reviewId)}/reviewers` });
}

/**
 * Assign a user of the tenant to review. `POST /v1/reviews/{review_id}/reviewers`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, CONFLICT
 */
export function addReviewer(
  api: ApiClient,
  input: { reviewId: string; body: AddReviewer },
): Promise<Reviewer> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers`,
    body: input.body,
  });
}

/**
 * Take an assignment back. `DELETE /v1/reviews/{review_id}/reviewers/{user_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function removeReviewer(api: ApiClient, input: { reviewId: string; userId: string }): Promise<void> {
  return api.send({
    method: 'DELETE',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers/${segment(input.userId)}`,
  });
}

/**
 * List a review's comments by commit, file and line. `GET /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listComments(api: ApiClient, input: { reviewId: string }): Promise<Comment[]> {
  return api.send({ method: 'GET', path: `/v1/reviews/${segment(input.reviewId)}/comments` });
}

/**
 * Open a comment thread, or reply to one. `POST /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, CONFLICT
 */
export function createComment(
  api: ApiClient,
  input: { reviewId: string; body: CreateComment },
): Promise<Comment> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/comments`,
    body: input.body,
  });
}

/**
 * Close or reopen a comment thread, as its author. `PATCH /v1/reviews/{review_id}/comments/{comment_id}/status`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, FORBIDDEN, BAD_REQUEST, ALREADY_CLOSED
 */
export function updateCommentStatus(
  api: ApiClient,
  input: { reviewId: string; commentId: string; body: UpdateCommentStatus },
): Promise<Comment> {
  return api.send({
    method: 'PATCH',
    path: `/v1/reviews/${segment(input.reviewId)}/comments/${segment(input.commentId)}/status`,
    body: input.body,
  });
}

/**
 * Page through gate runs, newest first. `GET /v1/gate-runs`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listGateRuns(api: ApiClient, input: { query?: GateRunQuery } = {}): Promise<GateRunPage> {
  return api.send({ method: 'GET', path: '/v1/gate-runs', query: input.query });
}

/**
 * Make a gate attempt visible, running or decided. `POST /v1/gate-runs`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND
 */
export function createGateRun(api: ApiClient, input: { body: CreateGateRun }): Promise<GateRun> {
  return api.send({ method: 'POST', path: '/v1/gate-runs', body: input.body });
}

/**
 * Show one gate run. `GET /v1/gate-runs/{gate_run_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getGateRun(api: ApiClient, input: { gateRunId: string }): Promise<GateRun> {
  return api.send({ method: 'GET', path: `/v1/gate-runs/${segment(input.gateRunId)}` });
}

/**
 * Decide a running gate run. `PATCH /v1/gate-runs/{gate_run_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, NOT_FOUND, GATE_RUN_ALREADY_DECIDED
 */
export function updateGateRun(
  api: ApiClient,
  input: { gateRunId: string; body: UpdateGateRun },
): Promise<GateRun> {
  return api.send({ method: 'PATCH', path: `/v1/gate-runs/${segment(input.gateRunId)}`, body: input.body });
}

/**
 * Show why a MERGED review was believed and what landed, signed. `GET /v1/reviews/{review_id}/merge-receipt`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, REVIEW_NOT_MERGED, NOT_IMPLEMENTED
 */
export function getMergeReceipt(api: ApiClient, input: { reviewId: string }): Promise<MergeReceipt> {
  return api.send({ method: 'GET', path: `/v1/reviews/${segment(input.reviewId)}/merge-receipt` });
}

/**
 * Show the public keys of merge receipts to anybody, as a JSON Web Key Set. `GET /v1/merge-receipt-keys`
 */
export function listMergeReceiptKeys(api: ApiClient): Promise<MergeReceiptKeySet> {
  return api.send({ method: 'GET', path: '/v1/merge-receipt-keys' });
}
