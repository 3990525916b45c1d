import type { Platform } from '../platform/platform';
import { plannedBranchPush } from '../push/push-branch';
import { liveReviewOf } from '../reviews/create-review';
import { type Submission, versionToRecord } from './submit';

/** The push and the calls, as `--dry-run` prints them. Only reads. Rule G2. */
export async function planSubmission(
  platform: Platform,
  submission: Pick<Submission, 'git' | 'api' | 'body' | 'commitId' | 'version'>,
): Promise<string[]> {
  const { api, body, commitId } = submission;
  const live = await liveReviewOf(api, body);
  const version = await versionToRecord(submission, live);
  const path = { review_id: live?.reviewId ?? '<review_id>' };
  return [
    plannedBranchPush({ branch: body.sourceBranch, commitId }),
    ...(live ? [] : [platform.plannedCall('createReview')]),
    ...(version === undefined ? [] : [platform.plannedCall('createReviewBuild', path)]),
  ];
}
