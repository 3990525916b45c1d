import type { NotVerifiedReason } from '@plat/contracts/core';
import { serviceAddress } from '../config/service-address';
import { listOf, type NextStep, nextStep } from '../terminal/next-step';

type Details = Readonly<Record<string, unknown>>;

/** The next step after a report that was not verified, by `details.reason`. Rule B11. */
const NOT_VERIFIED: Readonly<Record<NotVerifiedReason, NextStep>> = {
  build_not_acceptable: nextStep(
    'plat review record-build <review_id> --gate, then report with its --build-id',
  ),
  remote_mismatch: nextStep("report with --remote-url of the review's own repository"),
  remote_refused: nextStep('report with an address that the platform may read'),
  remote_unreadable: nextStep(
    'let the platform read the repository without credentials (docs/private-repositories.md), then repeat the report;',
    'if it never may: plat review requeue <review_id>, then plat review close <review_id>',
  ),
  remote_too_large: nextStep('ask the administrator of the platform to raise its limits'),
  branch_missing: nextStep('push the target branch, then repeat the report'),
  commit_not_on_target: nextStep('plat exec push, then repeat the report'),
  gated_tip_lost: nextStep('plat exec gate-merge, on the target as it is now'),
  not_landed: nextStep('land the branch, then repeat the report'),
  unrelated_history: nextStep('land the branch, then repeat the report'),
};

/** The command that lists things of a kind, by the message that one was not found. */
const LISTED: Readonly<Record<string, NextStep>> = {
  'No such review.': nextStep('plat review list'),
  'No such reviewer.': nextStep('plat review reviewers list <review_id>'),
  'No such comment.': nextStep('plat review comments <review_id>'),
  'No such gate run.': nextStep('plat gate list'),
  'No such user.': nextStep('plat admin user list'),
  'No such role.': nextStep('plat api GET /v1/roles'),
  'No such build.': nextStep('plat review builds <review_id>'),
};

/** The next step for a conflict, by its message. */
const IN_THE_WAY: Readonly<Record<string, NextStep>> = {
  'Another review of this repository has that name.': nextStep(
    'plat review list --here; for one more review, give it a name of its own: plat review create --name <text>',
  ),
};

/** The next step after a refusal that is not in the contract's shape. */
const NOT_OURS = nextStep('check the address of the platform and the network: plat doctor');

/** Nothing but a person's act changes a closed or a failed review, so to wait for it is in vain. */
function afterNotMerged(status: unknown, reviewId: ReturnType<typeof idOr>): NextStep {
  if (status === 'CLOSED') return nextStep('plat review show', reviewId);
  return status === 'FAILED' ? nextStep('plat review why', reviewId) : nextStep('plat review wait', reviewId);
}

const BY_CODE: Readonly<Record<string, (details: Details, message: string) => NextStep | undefined>> = {
  UNAUTHENTICATED: () => nextStep('plat cloud login'),
  FORBIDDEN: ({ roles }) => roleToAskFor(roles),
  TENANT_UNRESOLVED: () => nextStep('ask the administrator of the platform to add your organisation'),
  NOT_ENROLLED: () => nextStep('ask an administrator of your tenant to enrol you'),
  USER_DISABLED: () => nextStep('ask an administrator of your tenant: plat admin user enable <user>'),
  TENANT_DISABLED: () => nextStep('ask the administrator of the platform to enable your tenant'),
  TENANT_MOVED: ({ apiUrl }) => movedTo(apiUrl),
  TENANT_MOVING: () => nextStep('repeat the command in a few seconds'),
  NOT_FOUND: (_details, message) => (Object.hasOwn(LISTED, message) ? LISTED[message] : undefined),
  CONFLICT: (_details, message) => (Object.hasOwn(IN_THE_WAY, message) ? IN_THE_WAY[message] : undefined),
  EMPTY_QUEUE: () => nextStep('plat review list --status OPEN'),
  MERGE_QUEUE_OCCUPIED: ({ reviewId }) => nextStep('plat review show', idOr(reviewId)),
  MERGE_QUEUE_AMBIGUOUS: () => nextStep('repeat the command with --repository <remote>'),
  REVIEW_NOT_MERGING: ({ reviewId }) => nextStep('plat review show', idOr(reviewId)),
  REVIEW_NOT_MERGED: ({ reviewId, status }) => afterNotMerged(status, idOr(reviewId)),
  LANDED_COMMIT_UNKNOWN: ({ reviewId }) => nextStep('plat review verify', idOr(reviewId)),
  INVALID_BODY: ({ field }) => {
    if (field === 'issuer') {
      return nextStep('repeat the command with --issuer <url>, which the tokens have as iss');
    }
    return field === 'buildId' ? NOT_VERIFIED.build_not_acceptable : undefined;
  },
  INVALID_TRANSITION: ({ validTargets }) => allowedMoves(validTargets),
  MERGE_NOT_VERIFIED: ({ reason }) => (isReason(reason) ? NOT_VERIFIED[reason] : undefined),
  unresolved_threads: ({ reviewId }) => nextStep('plat review comments', idOr(reviewId)),
  INVALID_REPOSITORY: () => nextStep('repeat the command with --repository <full remote address>'),
  GATE_RUN_HELD: ({ gateRunId }) =>
    nextStep(
      'wait until it ends; if its holder is gone: plat exec gate-run report',
      typeof gateRunId === 'string' ? [gateRunId] : '<gate_run_id>',
      '--verdict INCONCLUSIVE',
    ),
  GATE_RUN_ALREADY_DECIDED: ({ gateRunId }) =>
    nextStep('plat gate show', typeof gateRunId === 'string' ? [gateRunId] : '<gate_run_id>'),
  INTERNAL_ERROR: () => nextStep('repeat the command; if it fails again, report the request id'),
  SERVICE_UNAVAILABLE: () => nextStep('repeat the command in a moment'),
};

/** The parts of a refusal that determine its next step. */
export interface Refusal {
  code: string;
  message: string;
  details: Details;
  /** When to repeat the request, if the answer has it. */
  retryAfterSeconds?: number;
}

/** The next command or action after a refusal of the API, if there is one. */
export function nextAfterRefusal({
  code,
  message,
  details,
  retryAfterSeconds,
}: Refusal): NextStep | undefined {
  if (/^HTTP_(?:429|5\d\d)$/.test(code)) {
    if (retryAfterSeconds === undefined) return nextStep('repeat the command in a moment');
    return nextStep('repeat the command in', [String(retryAfterSeconds)], 's');
  }
  if (code.startsWith('HTTP_')) return NOT_OURS;
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code]?.(details, message) : undefined;
}

/** An address that only this machine could mean, or that has credentials, is not one to which a tenant moves. */
function movedTo(apiUrl: unknown): NextStep {
  const isPlace = typeof apiUrl === 'string' && isPublicAddress(apiUrl);
  return nextStep(
    'ask your administrator whether your organisation has moved there, then: plat cloud init <alias> --api-url',
    isPlace ? [apiUrl] : '<the new address>',
    ', then plat cloud login',
  );
}

function isPublicAddress(text: string): boolean {
  try {
    return new URL(serviceAddress(text, 'The address')).protocol === 'https:';
  } catch {
    return false;
  }
}

/** Names the narrowest stock role that permits the call, if the platform says it. */
function roleToAskFor(roles: unknown): NextStep {
  const [role] = Array.isArray(roles) ? (roles as unknown[]) : [];
  return typeof role === 'string'
    ? nextStep('ask an administrator of your tenant: plat admin user roles <you> --add', [role])
    : nextStep('ask an administrator of your tenant for a role that allows it');
}

function allowedMoves(validTargets: unknown): NextStep | undefined {
  if (!Array.isArray(validTargets)) return undefined;
  return validTargets.length === 0
    ? nextStep('nothing: the review has come to its end')
    : nextStep('from where it is, the review can move to', listOf(validTargets.map(String)));
}

function isReason(reason: unknown): reason is NotVerifiedReason {
  return typeof reason === 'string' && Object.hasOwn(NOT_VERIFIED, reason);
}

function idOr(reviewId: unknown): string[] | '<review_id>' {
  return typeof reviewId === 'string' ? [reviewId] : '<review_id>';
}
