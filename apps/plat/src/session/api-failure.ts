import { isBlank } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';

/** A refusal of the API as it was read from the response. */
export interface ApiFault {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
  requestId?: string;
}

/** The command that leads on after a refusal, by its code; `details` are the refusal's own. */
const NEXT: Readonly<Record<string, (details: Record<string, unknown>) => string>> = {
  UNAUTHENTICATED: () => 'plat cloud login',
  FORBIDDEN: () => 'plat cloud status, and ask an administrator of your tenant for the missing role',
  NOT_ENROLLED: () => 'ask an administrator of your tenant to enrol you',
  EMPTY_QUEUE: () => 'plat review list --status OPEN',
  MERGE_QUEUE_OCCUPIED: ({ reviewId }) => `plat review show ${text(reviewId)}`,
  MERGE_QUEUE_AMBIGUOUS: () => 'repeat the command with --repository <remote>',
  REVIEW_NOT_MERGING: ({ reviewId }) => `plat review show ${text(reviewId)}`,
  MERGE_NOT_VERIFIED: () => 'push the merge to the target branch, then repeat the report',
  UNRESOLVED_THREADS: ({ reviewId }) =>
    `resolve the threads of review ${text(reviewId)}, or: plat review queue override-advance --reason <text>`,
  INVALID_REPOSITORY: () => 'repeat the command with --repository <full remote address>',
  INTERNAL_ERROR: () => 'repeat the command; if it fails again, report the request id',
  SERVICE_UNAVAILABLE: () => 'repeat the command in a moment',
};

/** A refusal of the API as a failure of the command: its own code and details, with the next step. */
export function apiFailure(fault: ApiFault): Failure {
  const details = fault.details ?? {};
  return new Failure(fault.code, withFacts(fault, details), {
    details: fault.details,
    requestId: fault.requestId,
    next: NEXT[fault.code]?.(details),
  });
}

/** No answer at all, or none that is the API's. */
export function unreachable(apiUrl: string, why: string): Failure {
  return new Failure('PLATFORM_UNREACHABLE', `No usable answer from ${apiUrl}: ${why}.`, {
    details: { apiUrl },
    next: 'check the address with: plat cloud status --all',
  });
}

/** The message, with the occupant of the slot by name: an id alone tells a person nothing. */
function withFacts(fault: ApiFault, details: Record<string, unknown>): string {
  const message = isBlank(fault.message) ? `The platform answered ${fault.status}.` : fault.message;
  if (fault.code === 'MERGE_QUEUE_OCCUPIED' && typeof details.name === 'string')
    return `${message} It is held by "${details.name}" (${text(details.sourceBranch)}).`;
  return message;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '<review_id>';
}
