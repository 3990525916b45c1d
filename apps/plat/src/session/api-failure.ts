import type { ApiFault, ApiUnreachable } from '@plat/api-client';
import { Failure } from '../terminal/failure';

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
  unresolved_threads: ({ reviewId }) =>
    `resolve the threads of review ${text(reviewId)}, or: plat review queue override-advance --reason <text>`,
  INVALID_REPOSITORY: () => 'repeat the command with --repository <full remote address>',
  INTERNAL_ERROR: () => 'repeat the command; if it fails again, report the request id',
  SERVICE_UNAVAILABLE: () => 'repeat the command in a moment',
};

/**
 * What a call threw, as a failure of the command: the API's own code and details, with the next step.
 * Told by its name: to load the API's client for this alone would slow down the commands that call nothing.
 *
 * @returns undefined when the error is none of the API's client
 */
export function apiFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ApiFault') return refused(error as ApiFault);
  if (error.name === 'ApiUnreachable') return unreachable(error as ApiUnreachable);
  return undefined;
}

function refused({ code, message, details = {}, requestId }: ApiFault): Failure {
  return new Failure(code, withOccupant(message, details), {
    details,
    requestId,
    next: NEXT[code]?.(details),
  });
}

function unreachable({ message, baseUrl, reason }: ApiUnreachable): Failure {
  return new Failure('PLATFORM_UNREACHABLE', message, {
    details: { apiUrl: baseUrl, reason },
    next: 'check the address and the network: plat cloud status --all',
  });
}

/** MERGE_QUEUE_OCCUPIED tells the occupant in its details: a person wants its name, not an id. */
function withOccupant(message: string, { name, sourceBranch }: Record<string, unknown>): string {
  if (typeof name !== 'string' || typeof sourceBranch !== 'string') return message;
  return `${message} It is held by "${name}" (${sourceBranch}).`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '<review_id>';
}
