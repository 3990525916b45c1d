import { type ApiClient, getMergeReceipt, listMergeReceiptKeys, type MergeReceipt } from '@plat/api-client';
import { examine, type Finding } from '../doctor/examination';
import type { Progress } from '../terminal/progress';
import { receiptChecks } from './receipt-checks';
import { cloneForReceipt, type ReceiptClone } from './receipt-clone';
import { readPinnedKeys } from './receipt-signature';
import { checkWords } from './receipt-words';

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
  /**
   * CONFIRMED: the signature, the commits and the content were all looked at, and hold. REFUTED: something does not.
   * NOT_CONFIRMED: nothing contradicts the receipt, and something could not be looked at.
   */
  outcome: 'CONFIRMED' | 'REFUTED' | 'NOT_CONFIRMED';
  /** Whether the outcome is CONFIRMED. */
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
  const outcome = outcomeOf(findings);
  return { reviewId, outcome, confirmed: outcome === 'CONFIRMED', receipt, findings };
}

/** What has to have been looked at; a receipt may name no anchor, and no tree where the service judged no content. */
const NEEDED = ['statement', 'signature', 'review', 'repository', 'target tip', 'commit', 'content'];

function outcomeOf(findings: readonly Finding[]): VerifiedReceipt['outcome'] {
  if (findings.some(({ result }) => result === 'failed')) return 'REFUTED';
  const isOk = (name: string) => findings.some(({ check, result }) => check === name && result === 'ok');
  const isOpen = findings.some(({ result }) => result === 'undecided');
  return NEEDED.every(isOk) && !isOpen ? 'CONFIRMED' : 'NOT_CONFIRMED';
}
