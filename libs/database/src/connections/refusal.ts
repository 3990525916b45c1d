import { DatabaseError } from 'pg';
import { ApiError, type ErrorCode, UnresolvedThreadsError } from '@plat/contracts/core';
import { DatabaseReadOnly, DatabaseSilent } from './deadline-client';

/** SQLSTATE of tenancy.refuse: the message is a code of the error registry. */
const REFUSED = 'PL001';

/** SQLSTATE of a lock that was not granted in time. The statement has done nothing. */
const LOCK_NOT_AVAILABLE = '55P03';

/** SQLSTATE of a statement that exceeded its login's time limit. The statement has done nothing. */
const QUERY_CANCELED = '57014';

/** SQLSTATE of a row that breaks a check; PostgreSQL reports a row without a partition so too. */
const CHECK_VIOLATION = '23514';

/** The message if a statement was sent and no answer came. */
const UNKNOWN_OUTCOME =
  'The database did not answer, so it is not known whether the request was carried out; look before you repeat it.';

/** Turns a SQL function's refusal, or a missing answer, into the error for the caller; undefined for other errors. */
export function refusalOf(error: unknown): Error | undefined {
  if (isReadOnly(error)) return new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  if (isSilence(error)) {
    return new ApiError('SERVICE_UNAVAILABLE', { message: UNKNOWN_OUTCOME, cause: error });
  }
  const cause = databaseErrorOf(error);
  if (cause && lacksPartition(cause)) return new ApiError('SERVICE_UNAVAILABLE', { cause });
  if (cause?.code === LOCK_NOT_AVAILABLE || cause?.code === QUERY_CANCELED) {
    return new ApiError('SERVICE_UNAVAILABLE', { cause });
  }
  if (cause?.code !== REFUSED) return undefined;
  const details = cause.detail ? (JSON.parse(cause.detail) as Record<string, unknown>) : undefined;
  if (cause.message === 'unresolved_threads' && details) {
    return new UnresolvedThreadsError(String(details.reviewId), Number(details.unresolvedThreads));
  }
  return new ApiError(cause.message as ErrorCode, {
    details,
    message: cause.hint || undefined,
  });
}

/** Whether the database did not answer, also if TypeORM has wrapped the error. */
export const isSilence = (error: unknown): boolean => driverErrorOf(error) instanceof DatabaseSilent;

/** Whether the server takes no writes, also if TypeORM has wrapped the error. */
export const isReadOnly = (error: unknown): boolean => driverErrorOf(error) instanceof DatabaseReadOnly;

/** The error for a missing connection or an unanswered read. Nothing was done. */
export function unavailableOf(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause });
}

/** Whether the row belongs to a month for which no partition has been made. */
const lacksPartition = ({ code, routine }: DatabaseError): boolean =>
  code === CHECK_VIOLATION && routine === 'ExecFindPartition';

/** Whether the error is a violation of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return databaseErrorOf(error)?.constraint === constraint;
}

function databaseErrorOf(error: unknown): DatabaseError | undefined {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError ? cause : undefined;
}

/** The driver's own error, also if TypeORM has wrapped it. */
function driverErrorOf(error: unknown): unknown {
  return (error as { driverError?: unknown } | undefined)?.driverError ?? error;
}
