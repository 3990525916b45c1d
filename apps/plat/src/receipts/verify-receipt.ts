import { type ApiClient, getMergeReceipt, listMergeReceiptKeys, type MergeReceipt } from '@plat/api-client';
import { examine, type Finding } from '../doctor/examination';
import { readKeys } from '../sealed-log/log-keys';
import { ExitCode } from '../terminal/exit-codes';
import { printableLine } from '../terminal/printable';
import type { Progress } from '../terminal/progress';
import { logAccess } from './log-access';
import { receiptChecks } from './receipt-checks';
import { cloneForReceipt, type ReceiptClone } from './receipt-clone';
import { readPinnedKeys } from './receipt-signature';
import { type ReceiptSubject, repositoryOf } from './receipt-subject';
import { checkWords } from './receipt-words';

export interface ReceiptToVerify {
  subject: ReceiptSubject;
  /** The repository to read; undefined: the remote that the receipt names. */
  remoteUrl?: string;
  /** File of the trusted keys; undefined: the keys of the platform. */
  keysFile?: string;
  /** Trusted keys of the sealed log, as texts or files; none: those of the platform. */
  logKeys: readonly string[];
  configFolder: string;
  interrupted: AbortSignal;
  progress: Progress;
}

/** The result of `plat review verify`. */
export interface VerifiedReceipt {
  reviewId: string;
  /** Canonical identity of the repository that the receipt names. */
  repository: string;
  sourceBranch: string;
  targetBranch: string;
  /**
   * CONFIRMED: it is the caller's review, and signature, commits and content were all checked, and hold. REFUTED: a
   * check failed.
   * NOT_CONFIRMED: no check failed, but one could not be made.
   */
  outcome: 'CONFIRMED' | 'REFUTED' | 'NOT_CONFIRMED';
  /** Whether the outcome is CONFIRMED. */
  confirmed: boolean;
  receipt: MergeReceipt;
  findings: Finding[];
}

/**
 * Checks a review's receipt against the caller's own clone.
 *
 * @throws Failure INTERRUPTED, RECEIPT_NOT_READABLE, KEY_NOT_READABLE
 */
export async function verifyReceipt(api: ApiClient, asked: ReceiptToVerify): Promise<VerifiedReceipt> {
  const { subject, keysFile, configFolder, interrupted, progress } = asked;
  const { reviewId, sourceCommit } = subject;
  const pinned = keysFile === undefined ? undefined : readPinnedKeys(keysFile);
  const logKeys = readKeys(asked.logKeys);
  const receipt = await progress('Reading the receipt', getMergeReceipt(api, { reviewId }));
  checkWords(receipt);
  const remote = { url: asked.remoteUrl ?? receipt.remoteUrl, isGiven: asked.remoteUrl !== undefined };
  let cloning: Promise<ReceiptClone> | undefined;
  const checks = receiptChecks({
    subject,
    receipt,
    keys: async () => pinned ?? listMergeReceiptKeys(api),
    log: logAccess(api, { configFolder, pinned: logKeys }),
    clone: () => (cloning ??= cloneForReceipt({ sourceTip: sourceCommit, ...receipt }, remote, interrupted)),
  });
  const removeClone = async () => (await cloning?.catch(() => undefined))?.remove();
  const findings = await progress('Checking', examine(checks).finally(removeClone));
  interrupted.throwIfAborted();
  const outcome = outcomeOf(findings);
  const { sourceBranch, targetBranch } = receipt;
  const landing = { repository: repositoryOf(receipt), sourceBranch, targetBranch };
  return { reviewId, ...landing, outcome, confirmed: outcome === 'CONFIRMED', receipt, findings };
}

/** The landing of which the receipt speaks, for a person to compare with the one that was meant. */
export function landingLine({ repository, sourceBranch, targetBranch, receipt }: VerifiedReceipt): string {
  const source = receipt.sourceTip === undefined ? sourceBranch : `${sourceBranch} at ${receipt.sourceTip}`;
  return printableLine(`The receipt says that ${source} landed on ${targetBranch} of ${repository}.`);
}

/** 3 is the sealed log's alone: what it contradicts is signed evidence, whatever else the checks say. */
export function receiptExitCode({ confirmed, findings }: VerifiedReceipt): ExitCode {
  if (confirmed) return ExitCode.ok;
  const contradicts = findings.some(({ code }) => code === 'LOG_CONTRADICTS');
  return contradicts ? ExitCode.contradicts : ExitCode.failed;
}

/** The checks that CONFIRMED requires. The others may be skipped: not every receipt names an anchor or a tree. */
const NEEDED = [
  'statement',
  'signature',
  'review',
  'repository',
  'target tip',
  'commit',
  'source',
  'content',
];

function outcomeOf(findings: readonly Finding[]): VerifiedReceipt['outcome'] {
  if (findings.some(({ result }) => result === 'failed')) return 'REFUTED';
  const isOk = (name: string) => findings.some(({ check, result }) => check === name && result === 'ok');
  const isOpen = findings.some(({ result }) => result === 'undecided');
  return NEEDED.every(isOk) && !isOpen ? 'CONFIRMED' : 'NOT_CONFIRMED';
}
