import { ApiError, type NotVerifiedReason } from '@plat/contracts/core';

/** The answer to a report that git did not confirm. The message says whether it was refused or could not be judged. */
export function notVerified({ reason, message }: { reason: NotVerifiedReason; message: string }): ApiError {
  return new ApiError('MERGE_NOT_VERIFIED', { message, details: { reason } });
}

/** Spec: API, MERGED report verification: a remote for a different repository is refused. */
export const remoteMismatch = (): ApiError =>
  notVerified({
    reason: 'remote_mismatch',
    message: "The report is refused: remoteUrl does not name the review's repository.",
  });

/** Condition A1. */
export const buildNotAcceptable = (): ApiError =>
  notVerified({
    reason: 'build_not_acceptable',
    message: 'The report is refused: buildId must be a successful GATE build of this review.',
  });
