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

/** A status as it is shown: MERGED does not stand alone if what landed is not what was reviewed. */
export function shownStatus({ status, contentVerdict }: Pick<Review, 'status' | 'contentVerdict'>): string {
  return isDivergent({ contentVerdict }) ? `${status} DIVERGENT` : status;
}

/** Warns that what landed is not what was reviewed; undefined if nothing says so. */
export function divergentText(landed: Landed): string | undefined {
  if (!isDivergent(landed)) return undefined;
  return `"${landed.name}" is MERGED, but its landed content is DIVERGENT: it is not what was reviewed. See where: plat review show ${landed.reviewId}`;
}
