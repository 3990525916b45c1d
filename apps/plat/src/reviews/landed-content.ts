import { type ApiClient, getMergeReceipt, type Review } from '@plat/api-client';
import type { ContentVerdict } from '@plat/contracts/core';

/**
 * The review with the verdict on its landed content, if it is MERGED. A verdict that the review does not have yet is
 * computed when its receipt is read.
 */
export async function withVerdict<Shown extends Review>(api: ApiClient, review: Shown): Promise<Shown> {
  const contentVerdict = await readVerdict(api, review);
  return contentVerdict === undefined ? review : { ...review, contentVerdict };
}

async function readVerdict(
  api: ApiClient,
  { reviewId, status, contentVerdict }: Review,
): Promise<ContentVerdict | undefined> {
  if (status !== 'MERGED' || (contentVerdict !== undefined && contentVerdict !== 'UNKNOWN')) {
    return contentVerdict;
  }
  // A platform without a signing key has no receipt, and a role may not allow it.
  const receipt = await getMergeReceipt(api, { reviewId }).catch(() => undefined);
  return receipt?.contentVerdict ?? contentVerdict;
}

type Landed = Pick<Review, 'reviewId' | 'name'> & { contentVerdict?: ContentVerdict | undefined };

/** Whether what landed is not what was reviewed. */
export const isDivergent = ({ contentVerdict }: Pick<Landed, 'contentVerdict'>): boolean =>
  contentVerdict === 'DIVERGENT';

/** A status as it is shown: MERGED does not stand alone if a person has to look at what landed. */
export function shownStatus({ status, contentVerdict }: Pick<Review, 'status' | 'contentVerdict'>): string {
  return withContentMark(status, contentVerdict);
}

/** A word for a merge, with the verdict on its content if a person has to look at that. */
export function withContentMark(word: string, contentVerdict: ContentVerdict | undefined): string {
  return contentVerdict === 'DIVERGENT' || contentVerdict === 'BY_HAND' ? `${word} ${contentVerdict}` : word;
}

/** Says where to look if a person has to look at what landed; undefined if there is no need. */
export function contentNotice({ reviewId, name, contentVerdict }: Landed): string | undefined {
  switch (contentVerdict) {
    case 'DIVERGENT':
      return `"${name}" is MERGED, but its landed content is DIVERGENT: it is not what was reviewed. See where: plat review show ${reviewId}`;
    case 'BY_HAND':
      return `"${name}" is MERGED, and its landed content is BY_HAND: a person decided conflicts, or landed a part of it before. See where: plat review show ${reviewId}`;
    default:
      return undefined;
  }
}
