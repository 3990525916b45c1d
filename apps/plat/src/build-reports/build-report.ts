import { type BuildKind, isBlank, isCommitId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { maskTokens } from '../terminal/mask-tokens';
import { cutDetail } from './failure-detail';

/** A build of a review, from the command line. */
export interface BuildInput {
  gate: boolean;
  failed: boolean;
  /** Whether the person vouches for the gate's success. */
  vouch?: boolean;
  failureDetail?: string;
  commitId: string;
  version?: string;
}

/** The body of POST /v1/reviews/{review_id}/builds. */
export interface BuildReport {
  kind: BuildKind;
  successful: boolean;
  commitId: string;
  version?: string;
  failureDetail?: string;
  /** Set for a successful GATE build that rests on a person's word, because no gate of the commit is known. */
  vouched?: true;
}

/**
 * The report of a build. Spec: API, Builds, rule 4: a RECORDED build has a version, a GATE build has none, a failed
 * GATE build has a failure detail. That is mostly the end of a log, so the tokens in it are masked.
 *
 * @throws Failure INVALID_COMMIT_ID, VERSION_REQUIRED, VERSION_NOT_ALLOWED, FAILURE_DETAIL_REQUIRED,
 * FAILURE_DETAIL_NOT_ALLOWED, VOUCH_NOT_ALLOWED
 */
export function buildReport(input: BuildInput): BuildReport {
  const { gate, failed, vouch = false, failureDetail, commitId, version } = input;
  if (!isCommitId(commitId)) {
    throw new Failure(
      'INVALID_COMMIT_ID',
      `--commit-id ${commitId} is not a full commit id of 40 lowercase hex digits.`,
      {
        next: 'git rev-parse <revision>',
      },
    );
  }
  if (gate && version !== undefined) {
    throw new Failure('VERSION_NOT_ALLOWED', 'A gate build publishes nothing, so it has no --version.');
  }
  if (!gate && version === undefined) {
    throw new Failure('VERSION_REQUIRED', 'A recorded build names its version.', {
      next: 'add --version <version>, or a file VERSION to the checkout',
    });
  }
  if (!failed && failureDetail !== undefined) {
    throw new Failure('FAILURE_DETAIL_NOT_ALLOWED', '--failure-detail is for a build that failed.', {
      next: 'add --failed',
    });
  }
  if (vouch && (!gate || failed)) {
    throw new Failure('VOUCH_NOT_ALLOWED', '--vouch is for a gate that passed.', {
      next: gate ? 'leave out --vouch' : 'add --gate',
    });
  }
  if (gate && failed && (failureDetail === undefined || isBlank(failureDetail))) {
    throw new Failure('FAILURE_DETAIL_REQUIRED', 'A failed gate build requires a failure detail.', {
      next: 'add --failure-detail <text>',
    });
  }
  return {
    kind: gate ? 'GATE' : 'RECORDED',
    successful: !failed,
    commitId,
    version,
    failureDetail: failureDetail === undefined ? undefined : cutDetail(maskTokens(failureDetail)),
  };
}
