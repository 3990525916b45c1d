import { type ApiClient, type Build, listReviewBuilds, type Review } from '@plat/api-client';

/** The failed build that moved a review to FAILED. */
export interface ReviewFailure {
  buildId: string;
  kind: Build['kind'];
  commitId: string;
  /** RFC 3339 UTC. */
  at: string;
  failureDetail?: string;
}

/** @returns undefined if the review is not FAILED, or its builds do not include the failed one */
async function failureOf(
  api: ApiClient,
  { reviewId, status, lastFailedBuildId }: Review,
): Promise<ReviewFailure | undefined> {
  if (status !== 'FAILED' || lastFailedBuildId === undefined) return undefined;
  const builds = await listReviewBuilds(api, { reviewId });
  const build = builds.find(({ buildId }) => buildId === lastFailedBuildId);
  if (!build) return undefined;
  const { buildId, kind, commitId, createdAt, failureDetail } = build;
  return { buildId, kind, commitId, at: createdAt, failureDetail };
}

/** The review with the reason of its failure, if it failed. */
export async function withFailure(
  api: ApiClient,
  review: Review,
): Promise<Review & { failure?: ReviewFailure }> {
  const failure = await failureOf(api, review);
  return failure ? { ...review, failure } : review;
}
