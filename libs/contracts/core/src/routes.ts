import { AUDIT_LOG_ROUTES } from './audit-log-routes';
import { creation, route, type RouteEntry } from './route-entry';
import { USER_ROUTES } from './user-routes';

const QUEUE_CODES = [
  'INVALID_BODY',
  'INVALID_TARGET_BRANCH',
  'INVALID_REPOSITORY',
  'EMPTY_QUEUE',
  'MERGE_QUEUE_OCCUPIED',
  'MERGE_QUEUE_AMBIGUOUS',
] as const;

/**
 * The one route table. Controllers, permissions, audit paths, edge routes, the OpenAPI documents and the client
 * come from it. The key is the operation's name in the client.
 */
export const ROUTES = {
  listReviews: route('reviews', 'GET /v1/reviews', {
    status: 200,
    summary: 'List reviews, newest first',
    codes: ['INVALID_QUERY', 'INVALID_REPOSITORY'],
  }),
  createReview: creation('reviews', 'POST /v1/reviews', {
    summary: 'Propose a source branch onto a target branch',
    codes: ['INVALID_BODY', 'INVALID_REPOSITORY', 'CONFLICT'],
  }),
  listMergeQueue: route('reviews', 'GET /v1/reviews/merge-queue', {
    status: 200,
    summary: 'List the reviews that wait, in queue order',
    codes: ['INVALID_QUERY', 'INVALID_REPOSITORY'],
    revalidates: true,
    waits: 'queue',
  }),
  getMergeQueueStatus: route('reviews', 'GET /v1/reviews/merge-queue/status', {
    status: 200,
    summary:
      'Show the state of a queue: its slot, and each waiting review with its wait, its cause and an estimate',
    codes: ['INVALID_QUERY', 'INVALID_REPOSITORY', 'MERGE_QUEUE_AMBIGUOUS'],
    revalidates: true,
    waits: 'status',
  }),
  getMergeQueueStatistics: route('reviews', 'GET /v1/reviews/merge-queue/statistics', {
    status: 200,
    summary: 'Count the outcomes of a queue, with their durations and the flaky steps of its gate',
    codes: ['INVALID_QUERY', 'INVALID_REPOSITORY', 'MERGE_QUEUE_AMBIGUOUS'],
  }),
  advanceMergeQueue: route('reviews', 'POST /v1/reviews/merge-queue/advance', {
    status: 200,
    summary: 'Promote the head of a queue to MERGE',
    codes: QUEUE_CODES,
  }),
  overrideAdvanceMergeQueue: route('reviews', 'POST /v1/reviews/merge-queue/override-advance', {
    status: 200,
    summary: 'Promote the head of a queue although it has open comment threads',
    codes: QUEUE_CODES,
    auditedField: 'reason',
  }),
  checkMergeQueue: route('reviews', 'POST /v1/reviews/merge-queue/check', {
    status: 200,
    summary:
      'Read the target branch of a queue as a verification would, to learn whether its merges can be verified',
    codes: ['INVALID_BODY', 'INVALID_TARGET_BRANCH', 'INVALID_REPOSITORY'],
  }),
  getReview: route('reviews', 'GET /v1/reviews/{review_id}', {
    status: 200,
    summary: 'Show one review',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
    revalidates: true,
    waits: 'review',
  }),
  getReviewHistory: route('reviews', 'GET /v1/reviews/{review_id}/history', {
    status: 200,
    summary: 'Page through the moves of a review, newest first',
    codes: ['INVALID_PATH_ID', 'INVALID_QUERY', 'NOT_FOUND'],
  }),
  updateReviewStatus: route('reviews', 'PATCH /v1/reviews/{review_id}/status', {
    status: 200,
    summary: 'Report the outcome of a review',
    codes: [
      'INVALID_PATH_ID',
      'INVALID_BODY',
      'INVALID_TRANSITION',
      'NOT_FOUND',
      'REVIEW_NOT_MERGING',
      'MERGE_NOT_VERIFIED',
      'CONFLICT',
    ],
  }),
  getMergeReceipt: route('reviews', 'GET /v1/reviews/{review_id}/merge-receipt', {
    status: 200,
    summary: 'Show the signed receipt of a merge: what landed, and why it was believed',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND', 'REVIEW_NOT_MERGED', 'NOT_IMPLEMENTED'],
  }),
  getMergeAttestation: route('reviews', 'GET /v1/reviews/{review_id}/merge-attestation', {
    status: 200,
    summary:
      "Show the receipt of a merge as a signed in-toto statement, with SLSA's summary if its claims hold",
    codes: ['INVALID_PATH_ID', 'NOT_FOUND', 'REVIEW_NOT_MERGED', 'LANDED_COMMIT_UNKNOWN', 'NOT_IMPLEMENTED'],
  }),
  listMergeReceiptKeys: route('reviews', 'GET /v1/merge-receipt-keys', {
    status: 200,
    summary: 'Show the public keys of merge receipts to anyone, as a JSON Web Key Set',
    codes: [],
    public: true,
  }),
  listReviewers: route('reviews', 'GET /v1/reviews/{review_id}/reviewers', {
    status: 200,
    summary: 'List the reviewers of a review, oldest assignment first',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  addReviewer: route('reviews', 'POST /v1/reviews/{review_id}/reviewers', {
    status: 201,
    summary: 'Assign a user of the tenant as a reviewer',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'CONFLICT'],
  }),
  removeReviewer: route('reviews', 'DELETE /v1/reviews/{review_id}/reviewers/{user_id}', {
    status: 204,
    summary: 'Remove a reviewer from a review',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  listComments: route('reviews', 'GET /v1/reviews/{review_id}/comments', {
    status: 200,
    summary: "List a review's comments by commit, file and line",
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  createComment: creation('reviews', 'POST /v1/reviews/{review_id}/comments', {
    summary: 'Open a comment thread, or reply to one',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'INVALID_COMMIT_ID', 'NOT_FOUND', 'CONFLICT'],
  }),
  updateCommentStatus: route('reviews', 'PATCH /v1/reviews/{review_id}/comments/{comment_id}/status', {
    status: 200,
    summary: 'Close or reopen a comment thread, as its author',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'FORBIDDEN', 'BAD_REQUEST', 'ALREADY_CLOSED'],
  }),
  listGateRuns: route('reviews', 'GET /v1/gate-runs', {
    status: 200,
    summary: 'Page through gate runs, newest first',
    codes: ['INVALID_QUERY'],
  }),
  createGateRun: creation('reviews', 'POST /v1/gate-runs', {
    summary: 'Record a gate run, running or decided',
    codes: ['INVALID_BODY', 'INVALID_COMMIT_ID', 'NOT_FOUND', 'GATE_RUN_HELD'],
  }),
  getGateRun: route('reviews', 'GET /v1/gate-runs/{gate_run_id}', {
    status: 200,
    summary: 'Show one gate run',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
    revalidates: true,
    waits: 'gateRun',
  }),
  updateGateRun: route('reviews', 'PATCH /v1/gate-runs/{gate_run_id}', {
    status: 200,
    summary: 'Set the verdict of a running gate run',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'GATE_RUN_ALREADY_DECIDED'],
  }),
  listReviewBuilds: route('builds', 'GET /v1/reviews/{review_id}/builds', {
    status: 200,
    summary: "List a review's builds, newest first",
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  createReviewBuild: creation('builds', 'POST /v1/reviews/{review_id}/builds', {
    summary: 'Report a build of a review, which moves the review',
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'INVALID_COMMIT_ID', 'INVALID_VERSION', 'NOT_FOUND'],
  }),
  getReviewBuild: route('builds', 'GET /v1/reviews/{review_id}/builds/{build_id}', {
    status: 200,
    summary: "Show one of a review's builds",
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  listBuilds: route('builds', 'GET /v1/builds', {
    status: 200,
    summary: 'Page through builds, with or without a review, newest first',
    codes: ['INVALID_QUERY'],
  }),
  createBuild: creation('builds', 'POST /v1/builds', {
    summary: 'Report a build of an environment, which moves no review',
    codes: ['INVALID_BODY', 'INVALID_COMMIT_ID', 'INVALID_VERSION', 'NOT_FOUND'],
  }),
  listReviewReleases: route('releases', 'GET /v1/reviews/{review_id}/releases', {
    status: 200,
    summary: 'List the releases that a review produced, newest first',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  listReleases: route('releases', 'GET /v1/releases', {
    status: 200,
    summary: 'List releases, newest first',
    codes: ['INVALID_QUERY'],
  }),
  createRelease: creation('releases', 'POST /v1/releases', {
    summary: 'Queue the release of a merge commit (200 when it has one already)',
    codes: ['INVALID_BODY', 'INVALID_COMMIT_ID', 'NOT_FOUND'],
  }),
  getRelease: route('releases', 'GET /v1/releases/{release_id}', {
    status: 200,
    summary: 'Show one release',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  listAuditEvents: route('audit', 'GET /v1/audit-events', {
    status: 200,
    summary: 'Page through the audit trail, newest first',
    codes: ['INVALID_QUERY'],
  }),
  ...AUDIT_LOG_ROUTES,
  getPlatform: route('platform', 'GET /v1/platform', {
    status: 200,
    summary: 'Describe the platform to a client that has not signed in',
    codes: [],
    public: true,
  }),
  whoami: route('platform', 'GET /v1/whoami', {
    status: 200,
    summary: 'Show the caller as the platform knows it',
    codes: [],
  }),
  listEnvironments: route('platform', 'GET /v1/environments', {
    status: 200,
    summary: 'List environments by name',
    codes: [],
  }),
  createEnvironment: creation('platform', 'POST /v1/environments', {
    summary: 'Register an environment',
    codes: ['INVALID_BODY', 'CONFLICT'],
  }),
  getEnvironment: route('platform', 'GET /v1/environments/{environment_id}', {
    status: 200,
    summary: 'Show one environment',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  deleteEnvironment: route('platform', 'DELETE /v1/environments/{environment_id}', {
    status: 202,
    summary: 'Delete an environment in the background',
    codes: ['INVALID_PATH_ID', 'NOT_FOUND'],
  }),
  putHostname: route('platform', 'PUT /v1/environments/{environment_id}/hostname', {
    status: 200,
    summary: "Point an environment's public names at an address",
    codes: ['INVALID_PATH_ID', 'INVALID_BODY', 'NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
  }),
  deleteHostname: route('platform', 'DELETE /v1/environments/{environment_id}/hostname', {
    status: 204,
    summary: "Remove an environment's public names",
    codes: ['INVALID_PATH_ID', 'NOT_FOUND', 'NOT_IMPLEMENTED'],
  }),
  ...USER_ROUTES,
} as const satisfies Record<string, RouteEntry>;

export type RouteName = keyof typeof ROUTES;

/** A route by its name, as an entry. */
export function routeNamed(name: RouteName): RouteEntry {
  return ROUTES[name];
}

/** The names of the path parameters in a template, in order. */
export function pathParameters(template: string): string[] {
  return Array.from(template.matchAll(/\{([a-z_]+)\}/g), (match) => match[1]!);
}
