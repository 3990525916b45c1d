import { type ApiClient, getReview, type Review, updateReviewStatus } from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import { apiFailure } from '../failures/api-failure';
import { requireClaimedReview } from './claimed-review';

/** A landing to report. */
export interface MergeReport {
  reviewId: string;
  /** The GATE build of a merge of the queue; undefined for a branch that landed without the queue. */
  buildId: string | undefined;
  remoteUrl: string;
}

/**
 * Reports that a review has landed. A repeated report of the landing that made the review MERGED succeeds, because the
 * answer to the first one may have been lost. Spec: Client, plat review report-merged.
 *
 * @throws ApiFault MERGE_NOT_VERIFIED, INVALID_TRANSITION; Failure ANSWER_CONTRADICTS
 */
export async function reportMerged(api: ApiClient, report: MergeReport): Promise<Review> {
  const { reviewId, buildId, remoteUrl } = report;
  try {
    const body = { status: 'MERGED', buildId, remoteUrl } as const;
    const review = await updateReviewStatus(api, { reviewId, body });
    return requireClaimedReview(review, { status: body.status, ...landingOf(review, report) });
  } catch (error) {
    const refusal = apiFailure(error);
    if (refusal?.code !== 'INVALID_TRANSITION' || refusal.details?.from !== 'MERGED') throw error;
    const review = await getReview(api, { reviewId });
    if (isOf(review, report)) return review;
    throw error;
  }
}

/**
 * The landing that an answer has to name: a review has no commit, but the build and the repository that it was verified in.
 * The commit of the build was compared when it was recorded.
 */
function landingOf(answer: Review, { buildId, remoteUrl }: MergeReport): Partial<Review> {
  const same = answer.lastMergedBuildId?.toLowerCase() === buildId?.toLowerCase();
  return {
    lastMergedBuildId: same ? answer.lastMergedBuildId : buildId,
    repository: canonicalRepository(remoteUrl),
  };
}

/** Whether this landing merged the review: the same GATE build, or none for both, in the same repository. */
function isOf(
  { status, lastMergedBuildId, repository }: Review,
  { buildId, remoteUrl }: MergeReport,
): boolean {
  if (status !== 'MERGED' || lastMergedBuildId?.toLowerCase() !== buildId?.toLowerCase()) return false;
  return repository === canonicalRepository(remoteUrl);
}
