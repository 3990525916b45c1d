// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient, segment } from '../api-client';
import type { components, operations } from './reviews.schema';

export type AddReviewer = components['schemas']['AddReviewer'];

export type AdvanceMergeQueue = components['schemas']['AdvanceMergeQueue'];

export type CheckMergeQueue = components['schemas']['CheckMergeQueue'];

export type Comment = components['schemas']['Comment'];

export type CreateComment = components['schemas']['CreateComment'];

export type CreateGateRun = components['schemas']['CreateGateRun'];

export type CreateReview = components['schemas']['CreateReview'];

export type GateRun = components['schemas']['GateRun'];

export type GateRunPage = components['schemas']['GateRunPage'];

export type GateRunQuery = NonNullable<operations['listGateRuns']['parameters']['query']>;

export type MergeQueueCheck = components['schemas']['MergeQueueCheck'];

export type MergeQueueFilters = NonNullable<operations['listMergeQueue']['parameters']['query']>;

export type MergeQueueStatistics = components['schemas']['MergeQueueStatistics'];

export type MergeQueueStatisticsQuery = NonNullable<
  operations['getMergeQueueStatistics']['parameters']['query']
>;

export type MergeQueueStatus = components['schemas']['MergeQueueStatus'];

export type MergeQueueStatusQuery = NonNullable<operations['getMergeQueueStatus']['parameters']['query']>;

export type MergeReceipt = components['schemas']['MergeReceipt'];

export type MergeReceiptKeySet = components['schemas']['MergeReceiptKeySet'];

export type OverrideAdvanceMergeQueue = components['schemas']['OverrideAdvanceMergeQueue'];

export type Review = components['schemas']['Review'];

export type ReviewFilters = NonNullable<operations['listReviews']['parameters']['query']>;

export type ReviewHistory = components['schemas']['ReviewHistory'];

export type ReviewHistoryQuery = NonNullable<operations['getReviewHistory']['parameters']['query']>;

export type Reviewer = components['schemas']['Reviewer'];

export type UpdateCommentStatus = components['schemas']['UpdateCommentStatus'];

export type UpdateGateRun = components['schemas']['UpdateGateRun'];

export type UpdateReviewStatus = components['schemas']['UpdateReviewStatus'];

const REVIEW_ANSWER = {
  reviewId: 'id',
  tenantId: 'id',
  authorUserId: 'id',
  name: 'string',
  repository: 'string?',
  targetBranch: 'string',
  sourceBranch: 'string',
  status: 'string',
  lastFailedBuildId: 'id?',
  lastReadyBuildId: 'id?',
  lastMergedBuildId: 'id?',
  contentVerdict: 'string?',
  issueRef: 'string?',
  issueRefSource: 'string?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const MERGE_QUEUE_REVIEW_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
} as const;

const MERGE_QUEUE_ESTIMATE_ANSWER = {
  earliest: 'time?',
  likely: 'time?',
  latest: 'time?',
  basis: 'integer?',
  errorSeconds: 'number?',
  unavailable: 'string?',
} as const;

const MERGE_QUEUE_SLOT_ANSWER = {
  review: { object: MERGE_QUEUE_REVIEW_ANSWER, optional: true },
  since: 'time?',
  activity: 'string',
  gateRunId: 'id?',
  gateRunSince: 'time?',
  health: 'string',
  cause: 'string?',
  estimate: { object: MERGE_QUEUE_ESTIMATE_ANSWER, optional: true },
} as const;

const MERGE_QUEUE_ESTIMATE_ERRORS_ANSWER = {
  estimates: 'integer',
  medianSeconds: 'number',
  withinRange: 'integer',
} as const;

const MERGE_QUEUE_PACE_ANSWER = {
  basis: 'integer',
  measured: 'boolean',
  p50Seconds: 'number',
  p95Seconds: 'number',
  lateAfterSeconds: 'number',
  stuckAfterSeconds: 'number',
  errors: { object: MERGE_QUEUE_ESTIMATE_ERRORS_ANSWER, optional: true },
} as const;

const DIVERGENT_LANDING_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
  landedAt: 'time',
} as const;

const MERGE_QUEUE_BLOCKERS_ANSWER = { openThreads: 'integer' } as const;

const MERGE_QUEUE_ENTRY_ANSWER = {
  reviewId: 'id',
  name: 'string',
  sourceBranch: 'string',
  authorUserId: 'id',
  position: 'integer',
  since: 'time',
  blockedBy: { object: MERGE_QUEUE_BLOCKERS_ANSWER, optional: true },
  estimate: { object: MERGE_QUEUE_ESTIMATE_ANSWER },
} as const;

const MERGE_QUEUE_STATUS_ANSWER = {
  targetBranch: 'string',
  repository: 'string?',
  version: 'integer',
  slot: { object: MERGE_QUEUE_SLOT_ANSWER },
  pace: { object: MERGE_QUEUE_PACE_ANSWER },
  divergent: { listOf: DIVERGENT_LANDING_ANSWER, optional: true },
  entries: { listOf: MERGE_QUEUE_ENTRY_ANSWER },
  nextCursor: 'string?',
} as const;

const MERGE_QUEUE_OUTCOMES_ANSWER = {
  entered: 'integer',
  promoted: 'integer',
  promotedByOverride: 'integer',
  merged: 'integer',
  reconciled: 'integer',
  gateFailed: 'integer',
  buildFailed: 'integer',
  requeued: 'integer',
  closed: 'integer',
} as const;

const MERGE_QUEUE_DURATIONS_ANSWER = {
  basis: 'integer',
  meanSeconds: 'number?',
  p50Seconds: 'number?',
  p95Seconds: 'number?',
} as const;

const MERGE_QUEUE_FLAKY_STEP_ANSWER = {
  failingStep: 'string',
  flakyRuns: 'integer',
  failingRuns: 'integer',
  lastAt: 'time',
  lastGateRunId: 'id',
  lastLogRef: 'string?',
} as const;

const MERGE_QUEUE_STATISTICS_ANSWER = {
  targetBranch: 'string',
  repository: 'string?',
  since: 'time',
  until: 'time',
  outcomes: { object: MERGE_QUEUE_OUTCOMES_ANSWER },
  readyToMerge: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  mergeToMerged: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  readyToMerged: { object: MERGE_QUEUE_DURATIONS_ANSWER },
  flakySteps: { listOf: MERGE_QUEUE_FLAKY_STEP_ANSWER },
} as const;

const MERGE_QUEUE_CHECK_ANSWER = { readable: 'boolean', reason: 'string?' } as const;

const REVIEW_EVENT_ANSWER = {
  at: 'time',
  from: 'string?',
  to: 'string',
  cause: 'string',
  actorUserId: 'id',
  actorUsername: 'string',
  buildId: 'id?',
  reason: 'string?',
  ticket: 'integer?',
  queueVersion: 'integer?',
} as const;

const REVIEW_HISTORY_ANSWER = { events: { listOf: REVIEW_EVENT_ANSWER }, nextCursor: 'string?' } as const;

const REVIEWER_ANSWER = {
  tenantId: 'id',
  reviewId: 'id',
  userId: 'id',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const COMMENT_ANSWER = {
  commentId: 'id',
  tenantId: 'id',
  reviewId: 'id',
  creatorUserId: 'id',
  status: 'string?',
  parentCommentId: 'id?',
  commitId: 'string',
  filePath: 'string',
  line: 'integer',
  body: 'string',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const GATE_RUN_ANSWER = {
  gateRunId: 'id',
  tenantId: 'id',
  sourceBranch: 'string',
  targetBranch: 'string',
  sourceCommit: 'string',
  mergeCommit: 'string?',
  reviewId: 'id?',
  reviewName: 'string?',
  verdict: 'string',
  failingStep: 'string?',
  logRef: 'string?',
  holder: 'string?',
  creatorUserId: 'id',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const GATE_RUN_PAGE_ANSWER = { gateRuns: { listOf: GATE_RUN_ANSWER }, nextCursor: 'string?' } as const;

const MERGE_FINDING_ANSWER = {
  kind: 'string',
  path: 'string',
  in: 'string?',
  firstLine: 'integer?',
  lastLine: 'integer?',
} as const;

const MERGE_INCLUSION_ANSWER = {
  index: 'integer',
  leaf: 'string',
  salt: 'string',
  hashes: { listOf: 'string' },
  checkpoint: 'string',
} as const;

const MERGE_RECEIPT_ANSWER = {
  statementVersion: 'integer',
  tenantId: 'id',
  reviewId: 'id',
  name: 'string',
  remoteUrl: 'string',
  sourceBranch: 'string',
  targetBranch: 'string',
  route: 'string',
  conditions: { listOf: 'string' },
  targetTip: 'string',
  commitId: 'string?',
  landedCommitId: 'string?',
  parentCommitId: 'string?',
  treeId: 'string?',
  anchorCommitId: 'string?',
  sourceTip: 'string?',
  buildId: 'id?',
  contentVerdict: 'string',
  contentReason: 'string?',
  builtOnCommitId: 'string?',
  findings: { listOf: MERGE_FINDING_ANSWER, optional: true },
  findingsLeftOut: 'integer?',
  contentJudgedAt: 'time?',
  verifiedAt: 'time',
  jws: 'string',
  inclusion: { object: MERGE_INCLUSION_ANSWER, optional: true },
} as const;

const MERGE_RECEIPT_KEY_ANSWER = {
  kty: 'string',
  crv: 'string',
  x: 'string',
  kid: 'string',
  alg: 'string',
  use: 'string',
} as const;

const MERGE_RECEIPT_KEY_SET_ANSWER = { keys: { listOf: MERGE_RECEIPT_KEY_ANSWER } } as const;

/** The answers of the routes when they succeed. */
export const REVIEWS_ANSWERS = {
  'GET /v1/reviews/merge-queue': { statuses: [200], body: { many: REVIEW_ANSWER } },
  'GET /v1/reviews/merge-queue/status': { statuses: [200], body: { one: MERGE_QUEUE_STATUS_ANSWER } },
  'GET /v1/reviews/merge-queue/statistics': { statuses: [200], body: { one: MERGE_QUEUE_STATISTICS_ANSWER } },
  'POST /v1/reviews/merge-queue/advance': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'POST /v1/reviews/merge-queue/check': { statuses: [200], body: { one: MERGE_QUEUE_CHECK_ANSWER } },
  'POST /v1/reviews/merge-queue/override-advance': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews': { statuses: [200], body: { many: REVIEW_ANSWER } },
  'POST /v1/reviews': { statuses: [201], body: { one: REVIEW_ANSWER }, keyed: true },
  'GET /v1/reviews/{review_id}': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews/{review_id}/history': { statuses: [200], body: { one: REVIEW_HISTORY_ANSWER } },
  'PATCH /v1/reviews/{review_id}/status': { statuses: [200], body: { one: REVIEW_ANSWER } },
  'GET /v1/reviews/{review_id}/reviewers': { statuses: [200], body: { many: REVIEWER_ANSWER } },
  'POST /v1/reviews/{review_id}/reviewers': { statuses: [201], body: { one: REVIEWER_ANSWER } },
  'DELETE /v1/reviews/{review_id}/reviewers/{user_id}': { statuses: [204], body: 'nothing' },
  'GET /v1/reviews/{review_id}/comments': { statuses: [200], body: { many: COMMENT_ANSWER } },
  'POST /v1/reviews/{review_id}/comments': { statuses: [201], body: { one: COMMENT_ANSWER }, keyed: true },
  'PATCH /v1/reviews/{review_id}/comments/{comment_id}/status': {
    statuses: [200],
    body: { one: COMMENT_ANSWER },
  },
  'GET /v1/gate-runs': { statuses: [200], body: { one: GATE_RUN_PAGE_ANSWER } },
  'POST /v1/gate-runs': { statuses: [201], body: { one: GATE_RUN_ANSWER }, keyed: true },
  'GET /v1/gate-runs/{gate_run_id}': { statuses: [200], body: { one: GATE_RUN_ANSWER } },
  'PATCH /v1/gate-runs/{gate_run_id}': { statuses: [200], body: { one: GATE_RUN_ANSWER } },
  'GET /v1/reviews/{review_id}/merge-receipt': { statuses: [200], body: { one: MERGE_RECEIPT_ANSWER } },
  'GET /v1/merge-receipt-keys': { statuses: [200], body: { one: MERGE_RECEIPT_KEY_SET_ANSWER } },
} as const;

/**
 * List the reviews that wait, in queue order. `GET /v1/reviews/merge-queue`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listMergeQueue(api: ApiClient, input: { query?: MergeQueueFilters } = {}): Promise<Review[]> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue'],
  });
}

/**
 * Show what a queue does: its slot, who waits for how long and for what, and when it will be merged. `GET /v1/reviews/merge-queue/status`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS
 */
export function getMergeQueueStatus(
  api: ApiClient,
  input: { query?: MergeQueueStatusQuery } = {},
): Promise<MergeQueueStatus> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue/status',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue/status'],
  });
}

/**
 * Count what became of the reviews of a queue, how long it took, and which steps of the gate are flaky. `GET /v1/reviews/merge-queue/statistics`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS
 */
export function getMergeQueueStatistics(
  api: ApiClient,
  input: { query?: MergeQueueStatisticsQuery } = {},
): Promise<MergeQueueStatistics> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews/merge-queue/statistics',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/merge-queue/statistics'],
  });
}

/**
 * Promote the head of a queue to MERGE. `POST /v1/reviews/merge-queue/advance`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS
 */
export function advanceMergeQueue(api: ApiClient, input: { body: AdvanceMergeQueue }): Promise<Review> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/advance',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/advance'],
  });
}

/**
 * Read the target branch of a queue as a verification would, to learn whether its merges can be verified. `POST /v1/reviews/merge-queue/check`
 *
 * @throws ApiFault INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY
 */
export function checkMergeQueue(api: ApiClient, input: { body: CheckMergeQueue }): Promise<MergeQueueCheck> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/check',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/check'],
  });
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
  return api.send({
    method: 'POST',
    path: '/v1/reviews/merge-queue/override-advance',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/merge-queue/override-advance'],
  });
}

/**
 * List reviews, newest first. `GET /v1/reviews`
 *
 * @throws ApiFault INVALID_QUERY, INVALID_REPOSITORY
 */
export function listReviews(api: ApiClient, input: { query?: ReviewFilters } = {}): Promise<Review[]> {
  return api.send({
    method: 'GET',
    path: '/v1/reviews',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews'],
  });
}

/**
 * Propose a source branch onto a target branch. `POST /v1/reviews`
 *
 * @throws ApiFault INVALID_BODY, INVALID_REPOSITORY, CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createReview(api: ApiClient, input: { body: CreateReview }): Promise<Review> {
  return api.send({
    method: 'POST',
    path: '/v1/reviews',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews'],
  });
}

/**
 * Show one review. `GET /v1/reviews/{review_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getReview(api: ApiClient, input: { reviewId: string }): Promise<Review> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Page through the moves of a review, newest first. `GET /v1/reviews/{review_id}/history`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_QUERY, NOT_FOUND
 */
export function getReviewHistory(
  api: ApiClient,
  input: { reviewId: string; query?: ReviewHistoryQuery },
): Promise<ReviewHistory> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/history`,
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/history'],
  });
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
    expected: REVIEWS_ANSWERS['PATCH /v1/reviews/{review_id}/status'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * List who is assigned to review, oldest assignment first. `GET /v1/reviews/{review_id}/reviewers`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listReviewers(api: ApiClient, input: { reviewId: string }): Promise<Reviewer[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/reviewers`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/reviewers'],
  });
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
    expected: REVIEWS_ANSWERS['POST /v1/reviews/{review_id}/reviewers'],
    about: { reviewId: input.reviewId },
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
    expected: REVIEWS_ANSWERS['DELETE /v1/reviews/{review_id}/reviewers/{user_id}'],
  });
}

/**
 * List a review's comments by commit, file and line. `GET /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function listComments(api: ApiClient, input: { reviewId: string }): Promise<Comment[]> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/comments`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/comments'],
  });
}

/**
 * Open a comment thread, or reply to one. `POST /v1/reviews/{review_id}/comments`
 *
 * @throws ApiFault INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createComment(
  api: ApiClient,
  input: { reviewId: string; body: CreateComment },
): Promise<Comment> {
  return api.send({
    method: 'POST',
    path: `/v1/reviews/${segment(input.reviewId)}/comments`,
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/reviews/{review_id}/comments'],
    about: { reviewId: input.reviewId },
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
    expected: REVIEWS_ANSWERS['PATCH /v1/reviews/{review_id}/comments/{comment_id}/status'],
    about: { reviewId: input.reviewId, commentId: input.commentId },
  });
}

/**
 * Page through gate runs, newest first. `GET /v1/gate-runs`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listGateRuns(api: ApiClient, input: { query?: GateRunQuery } = {}): Promise<GateRunPage> {
  return api.send({
    method: 'GET',
    path: '/v1/gate-runs',
    query: input.query,
    expected: REVIEWS_ANSWERS['GET /v1/gate-runs'],
  });
}

/**
 * Make a gate attempt visible, running or decided. `POST /v1/gate-runs`
 *
 * @throws ApiFault INVALID_BODY, INVALID_COMMIT_ID, NOT_FOUND, GATE_RUN_HELD, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE
 */
export function createGateRun(api: ApiClient, input: { body: CreateGateRun }): Promise<GateRun> {
  return api.send({
    method: 'POST',
    path: '/v1/gate-runs',
    body: input.body,
    expected: REVIEWS_ANSWERS['POST /v1/gate-runs'],
  });
}

/**
 * Show one gate run. `GET /v1/gate-runs/{gate_run_id}`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND
 */
export function getGateRun(api: ApiClient, input: { gateRunId: string }): Promise<GateRun> {
  return api.send({
    method: 'GET',
    path: `/v1/gate-runs/${segment(input.gateRunId)}`,
    expected: REVIEWS_ANSWERS['GET /v1/gate-runs/{gate_run_id}'],
    about: { gateRunId: input.gateRunId },
  });
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
  return api.send({
    method: 'PATCH',
    path: `/v1/gate-runs/${segment(input.gateRunId)}`,
    body: input.body,
    expected: REVIEWS_ANSWERS['PATCH /v1/gate-runs/{gate_run_id}'],
    about: { gateRunId: input.gateRunId },
  });
}

/**
 * Show why a MERGED review was believed and what landed, signed. `GET /v1/reviews/{review_id}/merge-receipt`
 *
 * @throws ApiFault INVALID_PATH_ID, NOT_FOUND, REVIEW_NOT_MERGED, NOT_IMPLEMENTED
 */
export function getMergeReceipt(api: ApiClient, input: { reviewId: string }): Promise<MergeReceipt> {
  return api.send({
    method: 'GET',
    path: `/v1/reviews/${segment(input.reviewId)}/merge-receipt`,
    expected: REVIEWS_ANSWERS['GET /v1/reviews/{review_id}/merge-receipt'],
    about: { reviewId: input.reviewId },
  });
}

/**
 * Show the public keys of merge receipts to anybody, as a JSON Web Key Set. `GET /v1/merge-receipt-keys`
 */
export function listMergeReceiptKeys(api: ApiClient): Promise<MergeReceiptKeySet> {
  return api.send({
    method: 'GET',
    path: '/v1/merge-receipt-keys',
    expected: REVIEWS_ANSWERS['GET /v1/merge-receipt-keys'],
  });
}
