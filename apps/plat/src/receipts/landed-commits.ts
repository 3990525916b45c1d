import type { MergeReceipt } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { isIn } from './commit-facts';
import { CORRUPT } from './compare-content';
import type { ReceiptClone } from './receipt-clone';

/**
 * Checks the commits that are named besides the reported one, because they brought the change or a part of it: each must
 * lie after the anchor and before the reported one. If the source's own tip was reported, the merge that brought it to the
 * target lies after that.
 *
 * @throws Failure RECEIPT_NOT_BORNE_OUT
 */
export async function compareLanded(
  { git, targetTip }: Pick<ReceiptClone, 'git' | 'targetTip'>,
  { landedCommitId, commitId, anchorCommitId, sourceTip, findings = [] }: MergeReceipt,
): Promise<string | undefined> {
  const earlier = findings.flatMap(({ commitId: earlierId }) => earlierId ?? []);
  const named = [...new Set([...(landedCommitId === undefined ? [] : [landedCommitId]), ...earlier])];
  for (const one of named) {
    const isBefore = commitId !== undefined && (await isIn(git, one, commitId));
    const isMerge =
      one === landedCommitId &&
      commitId !== undefined &&
      commitId === sourceTip &&
      (await isIn(git, commitId, one)) &&
      (await isIn(git, one, targetTip));
    const isOlder = anchorCommitId !== undefined && (await isIn(git, one, anchorCommitId));
    if ((isBefore || isMerge) && !isOlder) continue;
    throw new Failure(
      'RECEIPT_NOT_BORNE_OUT',
      `${one} is not between the merge before and the commit that was reported.`,
      { next: CORRUPT },
    );
  }
  return named.length === 0 ? undefined : `${named.join(', ')} brought the change, or a part of it`;
}
