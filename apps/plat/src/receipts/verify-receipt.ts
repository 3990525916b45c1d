import { getMergeReceipt, listMergeReceiptKeys, type ApiClient, type MergeReceipt } from '@plat/api-client';
import { examine, type Finding } from '../doctor/examination';
import type { Progress } from '../terminal/progress';
import { cloneForReceipt, type ReceiptClone } from './receipt-clone';
import { receiptChecks } from './receipt-checks';
import { checkWords } from './receipt-words';
import { readPinnedKeys } from './receipt-signature';

export interface ReceiptToVerify {
  reviewId: string;
  /** Where to read the repository; undefined: the remote that the receipt names. */
  remoteUrl?: string;
  /** File of the keys to believe; undefined: those that the platform shows. */
  keysFile?: string;
  interrupted: AbortSignal;
  progress: Progress;
}

/** What `plat review verify` found. */
export interface VerifiedReceipt {
  reviewId: string;
  /** Whether no check failed. */
  confirmed: boolean;
  receipt: MergeReceipt;
  findings: Finding[];
}

/** Checks a review's receipt against the repository as the caller reads it. @throws Failure INTERRUPTED, RECEIPT_NOT_READABLE */
export async function verifyReceipt(api: ApiClient, asked: ReceiptToVerify): Promise<VerifiedReceipt> {
  const { reviewId, keysFile, interrupted, progress } = asked;
  const pinned = keysFile === undefined ? undefined : await readPinnedKeys(keysFile);
  const receipt = await progress('Reading the receipt', getMergeReceipt(api, { reviewId }));
  checkWords(receipt);
  const remoteUrl = asked.remoteUrl ?? receipt.remoteUrl;
  let cloning: Promise<ReceiptClone> | undefined;
  const checks = receiptChecks({
    reviewId,
    receipt,
    keys: async () => pinned ?? listMergeReceiptKeys(api),
    clone: () => (cloning ??= cloneForReceipt(receipt, remoteUrl, interrupted)),
  });
  const removeClone = async () => (await cloning?.catch(() => undefined))?.remove();
  const findings = await progress('Checking', examine(checks).finally(removeClone));
  interrupted.throwIfAborted();
  return { reviewId, confirmed: findings.every(({ result }) => result !== 'failed'), receipt, findings };
}
