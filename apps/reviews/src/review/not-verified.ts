import { ApiError, type NotVerifiedReason } from '@plat/contracts/core';

/** What a verdict that refuses says. */
interface RefusingVerdict {
  reason: NotVerifiedReason;
  /** Whether the repository was read and the fact refuted, or nothing could be judged. */
  judged: boolean;
  message: string;
}

/** The answer to a report that git did not confirm. Decision B11. */
export function notVerified({ reason, judged, message }: RefusingVerdict): ApiError {
  const prefix = judged ? 'The merge was judged and refused' : 'The merge could not be judged';
  return new ApiError('MERGE_NOT_VERIFIED', { message: `${prefix}: ${message}`, details: { reason } });
}

/** Spec: API, MERGED report verification: a remote for a different repository is refused. */
export const remoteMismatch = (): ApiError =>
  notVerified({
    reason: 'remote_mismatch',
    judged: true,
    message: "remoteUrl does not name the review's repository.",
  });

/** Condition A1. */
export const buildNotAcceptable = (): ApiError =>
  notVerified({
    reason: 'build_not_acceptable',
    judged: true,
    message: 'buildId must be a successful GATE build of this review.',
  });
