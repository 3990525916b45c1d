import { type ApiClient, listReviews } from '@plat/api-client';

/** The names of the reviews that propose onto the target and are neither merged nor closed, by source branch. */
export async function liveReviewNames(
  api: ApiClient,
  repository: string,
  targetBranch: string,
): Promise<Map<string, string>> {
  const reviews = await listReviews(api, { query: { repository, targetBranch } });
  const live = reviews.filter(({ status }) => status !== 'MERGED' && status !== 'CLOSED');
  return new Map(live.map(({ sourceBranch, name }) => [sourceBranch, name]));
}
