import type { ApiFault, ApiUnreachable, ForeignAnswer } from '@plat/api-client';
import { foreignCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { nextAfterRefusal } from './next-step';
import { untrustedCertificate } from './untrusted-certificate';

/**
 * Converts an error of a call to a failure of the command: the API's own code and details, with the next step.
 * Recognised by its name, because loading the API's client for this alone would slow commands without calls.
 *
 * @returns undefined if the error is not one of the API's client
 */
export function apiFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ApiFault') return refused(error as ApiFault);
  if (error.name === 'ApiUnreachable') return unreachable(error as ApiUnreachable);
  if (error.name === 'ForeignAnswer') return foreign(error as ForeignAnswer);
  return undefined;
}

const PASSING: readonly string[] = [
  'PLATFORM_UNREACHABLE',
  'NOT_THE_PLATFORM',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'HTTP_429',
];

/** Whether a call's error may be temporary: no answer, a foreign answer, or an unavailable service. */
export function isHiccup(error: unknown): boolean {
  const failure = apiFailure(error);
  return failure !== undefined && (PASSING.includes(failure.code) || /^HTTP_5\d\d$/.test(failure.code));
}

function refused({ code, message, details = {}, requestId, retryAfterSeconds }: ApiFault): Failure {
  return new Failure(foreignCode(code), withOccupant(message, details), {
    details,
    requestId,
    next: nextAfterRefusal({ code, message, details, retryAfterSeconds }),
  });
}

function foreign({ message, baseUrl, status, difference }: ForeignAnswer): Failure {
  return new Failure('NOT_THE_PLATFORM', message, {
    details: { apiUrl: baseUrl, status, difference },
    next: `plat doctor; if the network has a sign-in page, open it in a browser, then repeat the command`,
  });
}

function unreachable({ message, baseUrl, reason }: ApiUnreachable): Failure {
  return (
    untrustedCertificate(baseUrl, reason) ??
    new Failure('PLATFORM_UNREACHABLE', message, {
      details: { apiUrl: baseUrl, reason },
      next: 'check the address and the network: plat cloud status --all',
    })
  );
}

/** Adds the occupant to MERGE_QUEUE_OCCUPIED from its details, because a person wants its name, not an id. */
function withOccupant(message: string, { name, sourceBranch }: Record<string, unknown>): string {
  if (typeof name !== 'string' || typeof sourceBranch !== 'string') return message;
  return `${message} It is held by "${name}" (${sourceBranch}).`;
}
