import { type ApiClient, getMergeReceipt, type MergeReceipt, type Review } from '@plat/api-client';

/** What is known of how a review landed: the receipt's fields about it, without its proof. */
export type ReviewLanding = Pick<
  MergeReceipt,
  | 'commitId'
  | 'landedCommitId'
  | 'contentVerdict'
  | 'contentReason'
  | 'builtOnCommitId'
  | 'findings'
  | 'findingsLeftOut'
>;

/** The review with how it landed, if it is MERGED and the platform gives its receipt to the caller. */
export async function withLanding<Shown extends Review>(
  api: ApiClient,
  review: Shown,
): Promise<Shown & { landing?: ReviewLanding }> {
  if (review.status !== 'MERGED') return review;
  // A platform without a signing key has none, and a role may not read it: the review is shown all the same.
  const receipt = await getMergeReceipt(api, { reviewId: review.reviewId }).catch(() => undefined);
  if (receipt === undefined) return review;
  const { commitId, landedCommitId, contentVerdict, contentReason } = receipt;
  const { builtOnCommitId, findings, findingsLeftOut } = receipt;
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
    },
  };
}
