import { ApiError, type ErrorCode, UnresolvedThreadsError } from '@plat/contracts/core';
import { DatabaseError } from 'pg';

/** SQLSTATE of tenancy.refuse: the message is a code of the error registry. */
const REFUSED = 'PL001';

/** SQLSTATE of a lock that was not had in time: the statement has done nothing. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The refusal that a SQL function raised, as the error that is answered; undefined for any other error. */
export function refusalOf(error: unknown): Error | undefined {
  const cause = databaseErrorOf(error);
  if (cause?.code === LOCK_NOT_AVAILABLE) return new ApiError('SERVICE_UNAVAILABLE', { cause });
  if (cause?.code !== REFUSED) return undefined;
  const details = cause.detail ? (JSON.parse(cause.detail) as Record<string, unknown>) : undefined;
  if (cause.message === 'unresolved_threads' && details) {
    return new UnresolvedThreadsError(String(details.reviewId), Number(details.unresolvedThreads));
  }
  return new ApiError(cause.message as ErrorCode, {
    ...(details && { details }),
    ...(cause.hint && { message: cause.hint }),
  });
}

/** A connection that was not had: nothing was done. */
export function unavailableOf(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause });
}

/** Whether the error is a violation of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return databaseErrorOf(error)?.constraint === constraint;
}

function databaseErrorOf(error: unknown): DatabaseError | undefined {
  if (error instanceof DatabaseError) return error;
  const inner = (error as { driverError?: unknown } | undefined)?.driverError;
  return inner instanceof DatabaseError ? inner : undefined;
}
