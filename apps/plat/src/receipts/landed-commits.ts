import type { MergeReceipt } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { CORRUPT } from './compare-content';
import type { ReceiptClone } from './receipt-clone';

/**
 * Checks the commits that are named besides the reported one, because they brought the change or a part of it: each must
 * lie before that one and after the anchor.
 *
 * @throws Failure RECEIPT_NOT_BORNE_OUT
 */
export async function compareLanded(
  { git }: Pick<ReceiptClone, 'git'>,
  { landedCommitId, commitId, anchorCommitId, findings = [] }: MergeReceipt,
): Promise<string | undefined> {
  const isIn = async (one: string, other: string) =>
    (await git.try(['merge-base', '--is-ancestor', one, other])).code === 0;
  const earlier = findings.flatMap(({ commitId: earlierId }) => earlierId ?? []);
  const named = [...new Set([...(landedCommitId === undefined ? [] : [landedCommitId]), ...earlier])];
  for (const one of named) {
    const isLater = commitId !== undefined && (await isIn(one, commitId));
    const isOlder = anchorCommitId !== undefined && (await isIn(one, anchorCommitId));
    if (isLater && !isOlder) continue;
    throw new Failure(
      'RECEIPT_NOT_BORNE_OUT',
      `${one} is not between the merge before and the commit that was reported.`,
      { next: CORRUPT },
    );
  }
  return named.length === 0 ? undefined : `${named.join(', ')} brought the change, or a part of it`;
}
