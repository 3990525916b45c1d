/** An error that a caller can get. `docs/errors.md` is made from the registry of these. */
export interface ErrorKind {
  status: number;
  /** The default message. The code that refuses may give another. */
  message: string;
  /** When the service answers it, for the documentation. */
  when: string;
  /** The fields of `details`, for the documentation. */
  details?: string;
}

// eslint-disable-next-line no-restricted-syntax -- the columns of the table below
const kind = (status: number, message: string, when: string, details?: string): ErrorKind =>
  details === undefined ? { status, message, when } : { status, message, when, details };

/** The one registry of error codes. Spec: API, Errors; rule A8. */
export const ERRORS = {
  INVALID_BODY: kind(
    400,
    'The request body is not valid.',
    'Malformed JSON, a missing or unusable field, or a body over 1 MiB.',
    'field: the field at fault, where there is one',
  ),
  INVALID_QUERY: kind(
    400,
    'A query parameter is not valid.',
    'A listing filter, time, cursor or limit that cannot be read.',
    'field: the parameter at fault',
  ),
  INVALID_PATH_ID: kind(
    400,
    'An id in the path is not a UUID.',
    'A path id is not a hyphenated UUID.',
    'parameter: the name in the route template; value: what was received',
  ),
  INVALID_COMMIT_ID: kind(
    400,
    'commitId must be exactly 40 lowercase hex characters.',
    'A commitId fails ^[0-9a-f]{40}$.',
    'field',
  ),
  INVALID_VERSION: kind(
    400,
    'version must be a semantic version such as 1.2.3 or 1.2.3-snapshot-20260102030405.',
    'The version of a RECORDED build fails the grammar.',
    'field',
  ),
  INVALID_TARGET_BRANCH: kind(
    400,
    'targetBranch must name a branch.',
    'targetBranch is empty or not a branch name, on advance or override-advance.',
    'field',
  ),
  INVALID_REPOSITORY: kind(
    400,
    'repository must name a repository by its full remote address.',
    'A value that names no repository: empty, a bare forge, a relative or shorthand form.',
    'field',
  ),
  INVALID_TRANSITION: kind(
    400,
    'The review cannot move to that status.',
    'PATCH status asserts MERGE or OPEN, or a status that the review cannot be moved to.',
    'from, to, validTargets',
  ),
  BAD_REQUEST: kind(400, 'The request cannot be read.', 'Any other fault of a request.'),
  UNAUTHENTICATED: kind(
    401,
    'A valid bearer token is required; sign in again.',
    'No token, or one that is expired, not signed by a known issuer, or for another audience.',
  ),
  FORBIDDEN: kind(
    403,
    'No role of the caller permits this; a user who may grant roles in the tenant can change that.',
    'No role of the caller permits the method on the route, or the row belongs to another user.',
    'apiMethod, apiPath, and roles: the stock roles that permit it; absent where the row is the reason',
  ),
  TENANT_UNRESOLVED: kind(
    403,
    'The token names no tenant of this platform; sign in with an organisation that is one.',
    'A valid token whose organisation is not a tenant.',
  ),
  NOT_ENROLLED: kind(
    403,
    "The caller is not enrolled in the tenant; the tenant's administrator can enrol the caller.",
    'A valid token of a tenant, whose subject is no user of it.',
  ),
  USER_DISABLED: kind(
    403,
    "The caller is disabled in the tenant; the tenant's administrator can enable the caller.",
    'A valid token of a user who is disabled, from the next request on.',
  ),
  TENANT_DISABLED: kind(
    403,
    'The tenant is disabled; the administrator of the platform can enable it.',
    'A valid token of a tenant that is disabled or about to be deleted.',
  ),
  TENANT_MOVED: kind(
    421,
    'The tenant is served at another address; details.apiUrl names it.',
    'A valid token of a tenant that has moved to another cell of the platform.',
    'apiUrl: where the tenant is served now',
  ),
  TENANT_MOVING: kind(
    503,
    'The tenant is being moved to another cell; try again in a few seconds.',
    'Any request of a tenant during the seconds in which a move between cells switches; nothing was done. The answer ' +
      'has Retry-After.',
  ),
  NOT_FOUND: kind(404, 'Not found.', 'The row or route does not exist, or belongs to another tenant.'),
  METHOD_NOT_ALLOWED: kind(
    405,
    'The route does not have that method; the header Allow names those that it has.',
    'A method that no route of that path has.',
  ),
  EMPTY_QUEUE: kind(
    404,
    'No review is waiting in the queue of that branch; a successful RECORDED build puts one there.',
    'advance or override-advance on a target with no READY review.',
  ),
  CONFLICT: kind(
    409,
    'The request conflicts with existing data.',
    'A uniqueness rule refuses the request, or the data on which it was judged keeps changing.',
  ),
  ALREADY_CLOSED: kind(409, 'The comment thread is closed already.', 'Closing a comment thread twice.'),
  IDEMPOTENCY_KEY_REUSED: kind(
    409,
    'The Idempotency-Key was used for another request; take a new key for each request, and the same for its repeats.',
    'A key that the caller used within 24 hours for another method, path or body.',
  ),
  IDEMPOTENCY_KEY_IN_USE: kind(
    409,
    'The first request with this Idempotency-Key is still running; repeat it in a moment.',
    'A repeat that arrives before the first request has ended. The answer has Retry-After.',
  ),
  GATE_RUN_HELD: kind(
    409,
    'Another gate run of the review is running, and is held.',
    'A gate run that names its holder, while a held one of the same review is RUNNING.',
    'gateRunId, holder, creatorUserId, mergeCommit, since',
  ),
  GATE_RUN_ALREADY_DECIDED: kind(
    409,
    'The gate run has its verdict already.',
    'A verdict for a gate run that is not RUNNING; a run is decided once.',
    'gateRunId, verdict',
  ),
  MERGE_QUEUE_OCCUPIED: kind(
    409,
    'Another review already holds the MERGE slot of that queue; report it MERGED or FAILED, or requeue it.',
    'A promotion while a review holds the slot; override-advance does not bypass it.',
    'targetBranch, reviewId, name, sourceBranch of the occupying review',
  ),
  MERGE_QUEUE_AMBIGUOUS: kind(
    409,
    'Reviews of more than one repository wait on that branch: name one.',
    'advance without a repository while several have READY reviews on the branch.',
    'targetBranch, repositories, unrecordedRepositoryReviewIds',
  ),
  REVIEW_NOT_MERGING: kind(
    409,
    'Only a review at MERGE can be requeued.',
    'PATCH status READY with no buildId on a review not at MERGE.',
    'reviewId, status',
  ),
  REVIEW_NOT_MERGED: kind(
    409,
    'The review is not MERGED, so there is no receipt of its merge.',
    'The merge receipt of a review that is not MERGED.',
    'reviewId, status',
  ),
  LANDED_COMMIT_UNKNOWN: kind(
    409,
    'No commit is known that landed the review, so an attestation has no subject; the merge receipt says what is known.',
    'The attestation of a merge that was found landed, in no commit that the service could determine.',
    'reviewId',
  ),
  MERGE_NOT_VERIFIED: kind(
    409,
    'The reported merge could not be verified.',
    'A MERGED report that the repository does not confirm. The review does not change.',
    'reason',
  ),
  INTERNAL_ERROR: kind(
    500,
    'The service failed; retry, and report the request id if it fails again.',
    'A fault of the service; its cause is in the log under the request id.',
    'requestId',
  ),
  NOT_IMPLEMENTED: kind(
    501,
    'This deployment does not offer that.',
    'The deployment has no DNS writer, no key that signs merge receipts, or no key that signs logs.',
  ),
  SERVICE_UNAVAILABLE: kind(
    503,
    'The service cannot answer right now, and nothing was done; retry.',
    'The request could not be audited, the database is out of reach, the name server did not confirm, or a merge could not be verified in time for a reason other than its remote.',
  ),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes that every route can answer, besides those that the route table names for it. */
export const SHARED_CODES = [
  'BAD_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** Codes that every route with an Idempotency-Key can answer. */
export const KEYED_CODES = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
] as const satisfies ErrorCode[];

/** Codes that every route with sign-in can answer. */
export const SIGNED_IN_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TENANT_UNRESOLVED',
  'NOT_ENROLLED',
  'USER_DISABLED',
  'TENANT_DISABLED',
  'TENANT_MOVED',
  'TENANT_MOVING',
] as const satisfies ErrorCode[];

export interface ApiErrorOptions {
  message?: string;
  details?: Record<string, unknown>;
  /** For the log; a caller never sees it. */
  cause?: unknown;
}

/** An error of the registry. The service answers it with its status, code, message and details. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    readonly code: ErrorCode,
    { message, details, cause }: ApiErrorOptions = {},
  ) {
    super(message ?? ERRORS[code].message, { cause });
    this.status = ERRORS[code].status;
    this.details = details;
  }
}

/**
 * The refusal of advance while the head has OPEN threads. The body of its answer has other fields than those of an
 * ApiError.
 * Spec: API, Errors; rule C2.
 */
export class UnresolvedThreadsError extends Error {
  readonly status = 409;

  constructor(
    readonly reviewId: string,
    readonly unresolvedThreads: number,
  ) {
    super(
      'The review at the head of the queue has unresolved comment threads; ' +
        'their authors can close them, or override-advance passes them over.',
    );
  }
}

/** The answer for a method and path that no route has, whether a service gives it or the edge. */
export function noRoute(cause?: unknown): ApiError {
  const message = 'No such route: method and path must be those of the API, without a slash at the end.';
  return new ApiError('NOT_FOUND', { message, cause });
}

/** The answer for a missing row and for another tenant's row. Both come from here, so that they never differ. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', { message: `No such ${what}.` });
}

/** A refusal of one field of the body. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('INVALID_BODY', { message, details: { field } });
}
