import { type ApiClient, getMergeReceipt, type MergeReceipt, type Review } from '@plat/api-client';

/** How a review landed: the receipt's fields about it, without its proof. */
export type ReviewLanding = Pick<
  MergeReceipt,
  | 'commitId'
  | 'landedCommitId'
  | 'contentVerdict'
  | 'contentReason'
  | 'builtOnCommitId'
  | 'findings'
  | 'findingsLeftOut'
  | 'undoneWork'
>;

/** The review with how it landed, if it is MERGED and the caller may read its receipt. */
export async function withLanding<Shown extends Review>(
  api: ApiClient,
  review: Shown,
): Promise<Shown & { landing?: ReviewLanding }> {
  if (review.status !== 'MERGED') return review;
  // A platform without a signing key has no receipt, and a role may not allow it; the review is shown in any case.
  const receipt = await getMergeReceipt(api, { reviewId: review.reviewId }).catch(() => undefined);
  if (receipt === undefined) return review;
  const { commitId, landedCommitId, contentVerdict, contentReason } = receipt;
  const { builtOnCommitId, findings, findingsLeftOut, undoneWork } = receipt;
  return {
    ...review,
    landing: {
      commitId,
      landedCommitId,
      contentVerdict,
      contentReason,
      builtOnCommitId,
      findings,
      findingsLeftOut,
      undoneWork,
    },
  };
}
