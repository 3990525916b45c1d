import { type ApiClient, ApiFault, listComments, type Review } from '@plat/api-client';

/** The texts in which a review says what it reverts: its name, and its comments as far as the caller may read them. */
export async function textsOfReview(
  api: ApiClient,
  { reviewId, name }: Pick<Review, 'reviewId' | 'name'>,
): Promise<string[]> {
  try {
    const comments = await listComments(api, { reviewId });
    return [name, ...comments.map(({ body }) => body)];
  } catch (error) {
    if (error instanceof ApiFault) return [name];
    throw error;
  }
}
