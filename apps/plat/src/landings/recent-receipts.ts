import { type ApiClient, getMergeReceipt, type MergeReceipt } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import type { Acquaintance } from './compare-landings';
import type { TargetCommit } from './target-history';

/** How long after the verification of a merge its receipt need not be sealed yet. The platform seals within a minute. */
export const SEALING_MILLISECONDS_MAX = 120_000;
/** Most receipts that are asked for: only the newest commits can be recent. */
export const RECEIPTS_MAX = 10;

/** Answers that mean that there is no receipt, or none that the caller may read. */
const WITHOUT_RECEIPT: readonly string[] = ['NOT_FOUND', 'FORBIDDEN', 'NOT_IMPLEMENTED', 'REVIEW_NOT_MERGED'];

/**
 * Marks the commits whose receipt the platform has made so lately that it need not be in the log yet. The receipt must
 * name the commit: a commit that only bears a review's name is not excused by it.
 *
 * @param commits the newest first
 * @param known by commit
 */
export async function withRecentReceipts(
  api: ApiClient,
  commits: readonly Pick<TargetCommit, 'commitId'>[],
  known: ReadonlyMap<string, Acquaintance>,
): Promise<Map<string, Acquaintance>> {
  const marked = new Map(known);
  const ofReviews = commits.flatMap(({ commitId }) => {
    const acquaintance = known.get(commitId);
    return acquaintance?.reviewId === undefined
      ? []
      : [{ commitId, acquaintance, reviewId: acquaintance.reviewId }];
  });
  for (const { commitId, acquaintance, reviewId } of ofReviews.slice(0, RECEIPTS_MAX)) {
    const receipt = await receiptOf(api, reviewId);
    if (receipt && isRecent(receipt, commitId)) marked.set(commitId, { ...acquaintance, isRecent: true });
  }
  return marked;
}

async function receiptOf(api: ApiClient, reviewId: string): Promise<MergeReceipt | undefined> {
  try {
    return await getMergeReceipt(api, { reviewId });
  } catch (error) {
    if (WITHOUT_RECEIPT.includes(apiFailure(error)?.code ?? '')) return undefined;
    throw error;
  }
}

function isRecent(receipt: MergeReceipt, commit: string): boolean {
  const { commitId, landedCommitId = commitId, verifiedAt, contentVerdict } = receipt;
  const age = Math.abs(Date.now() - Date.parse(verifiedAt));
  return landedCommitId === commit && contentVerdict !== 'DIVERGENT' && age <= SEALING_MILLISECONDS_MAX;
}
