import { type ApiClient, listComments, type Review } from '@plat/api-client';

/** The texts in which a review says what it reverts: its name, and its comments. @throws ApiFault */
export async function textsOfReview(
  api: ApiClient,
  { reviewId, name }: Pick<Review, 'reviewId' | 'name'>,
): Promise<string[]> {
  const comments = await listComments(api, { reviewId });
  return [name, ...comments.map(({ body }) => body)];
}
