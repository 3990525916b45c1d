import type { AxiosInstance } from 'axios';

/** The names of the reviews that propose onto the target and are neither merged nor closed, by source branch. */
export async function liveReviewNames(
  http: AxiosInstance,
  repository: string,
  targetBranch: string,
): Promise<Map<string, string>> {
  const { listReviews } = await import('../session/operations.js');
  const reviews = await listReviews(http, { repository, targetBranch });
  const live = reviews.filter(({ status }) => status !== 'MERGED' && status !== 'CLOSED');
  return new Map(live.map(({ sourceBranch, name }) => [sourceBranch, name]));
}
