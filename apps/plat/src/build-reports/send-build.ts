import { type ApiClient, type Build, createReviewBuild } from '@plat/api-client';
import { requireClaimedReview } from '../reviews/claimed-review';
import type { BuildReport } from './build-report';

/** Records a build of a review. @throws Failure ANSWER_CONTRADICTS if the recorded build is another one */
export async function sendBuild(
  api: ApiClient,
  { reviewId, body }: { reviewId: string; body: BuildReport },
): Promise<Build> {
  const { kind, successful, commitId, version } = body;
  const build = await createReviewBuild(api, { reviewId, body });
  return requireClaimedReview(build, { kind, successful, commitId, version });
}
