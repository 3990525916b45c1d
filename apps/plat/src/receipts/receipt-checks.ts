import type { MergeReceipt, MergeReceiptKeySet } from '@plat/api-client';
import { mergeRecipeText, STATEMENT_VERSION } from '@plat/contracts/core';
import { type Check, Skipped, Undecided } from '../doctor/examination';
import { Failure } from '../terminal/failure';
import { compareContent, CORRUPT } from './compare-content';
import { compareLanded } from './landed-commits';
import type { LogAccess } from './log-access';
import { mergeAgain } from './merge-again';
import type { ReceiptClone } from './receipt-clone';
import { checkInclusion } from './receipt-inclusion';
import { checkSignature } from './receipt-signature';
import {
  compareReview,
  namingIt,
  type ReceiptSubject,
  repositoryOf,
  requireSameRepository,
} from './receipt-subject';
import { compareSource } from './reviewed-source';

/** The input of the checks of a receipt. */
export interface ReceiptExamination {
  subject: ReceiptSubject;
  receipt: MergeReceipt;
  keys(): Promise<MergeReceiptKeySet>;
  /** Rejects if the repository cannot be read. */
  clone(): Promise<ReceiptClone>;
  /** The tenant's sealed log. */
  log: LogAccess;
}

/**
 * Checks that the receipt is the platform's and about the caller's review, that the repository agrees with it, and that
 * the reviewed content landed.
 */
export function receiptChecks(examination: ReceiptExamination): Check[] {
  const { receipt, subject } = examination;
  const signature = once(async () => checkSignature(receipt, await examination.keys()));
  const statement: Check[] = [
    { name: 'statement', look: async () => knownVersion(receipt) },
    { name: 'signature', look: async () => `by ${await signature()}` },
    { name: 'review', look: async () => compareReview(receipt, subject) },
  ];
  // The fields of a later version may have another meaning.
  if (!isKnownVersion(receipt)) return statement;
  // No remote is read that only an unsigned receipt, or one of another repository, names.
  const clone = once(async () => {
    await signature();
    requireSameRepository(receipt, subject);
    return examination.clone().catch(rethrowAsUndecided);
  });
  return [
    ...statement,
    { name: 'inclusion', look: () => checkInclusion(receipt, examination.log) },
    {
      name: 'repository',
      look: async () => {
        await signature().catch(() => {
          throw new Skipped('it is read only if the signature holds');
        });
        return compareRepository(await clone(), receipt, subject);
      },
    },
    ...cloneChecks(examination, clone),
  ];
}

/** The checks in the clone. They are skipped if there is none, which the check `repository` reports. */
function cloneChecks({ receipt, subject }: ReceiptExamination, clone: () => Promise<ReceiptClone>): Check[] {
  const inClone = (name: string, look: (read: ReceiptClone) => Promise<string | undefined>): Check => ({
    name,
    look: async () => {
      const read = await clone().catch(() => undefined);
      return read && look(read);
    },
  });
  const source = once(async () => compareSource(await clone(), receipt, subject));
  return [
    inClone('target tip', (read) => descends(read, receipt.targetTip, 'the target tip that was judged')),
    inClone('commit', async (read) =>
      receipt.commitId === undefined ? undefined : descends(read, receipt.commitId, 'the landed commit'),
    ),
    inClone('parent and tree', (read) => compareCommit(read, receipt)),
    inClone('anchor', (read) => compareAnchor(read, receipt)),
    inClone('landed commit', (read) => compareLanded(read, receipt)),
    inClone('source', source),
    inClone('recipe', async ({ git }) => `${(await git.run(['version'])).trim()}: ${mergeRecipeText()}`),
    inClone('content', async ({ git, targetTip, sourceBranchTip }) => {
      const reviewed = { ...receipt, sourceTip: receipt.sourceTip ?? subject.sourceCommit };
      const isConfirmed = await source().then(
        () => true,
        () => false,
      );
      const branchTip = sourceBranchTip ?? (isConfirmed ? reviewed.sourceTip : undefined);
      const again = await mergeAgain(git, reviewed, { targetTip, branchTip });
      const found = compareContent(receipt, again);
      return isConfirmed ? found : `${found}; which commit was reviewed is only the receipt's claim`;
    }),
  ];
}

/**
 * A repository that cannot be read says nothing of the receipt.
 *
 * @throws Undecided for a failure
 */
function rethrowAsUndecided(error: unknown): never {
  if (error instanceof Failure) throw new Undecided(error.message, { next: error.next });
  throw error;
}

/** Calls the function once, and answers each later call with the same result. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

/** @throws Undecided if nothing says which repository the caller means */
function compareRepository(
  { targetTip }: ReceiptClone,
  receipt: MergeReceipt,
  { repository }: ReceiptSubject,
): string {
  const read = `${repositoryOf(receipt)}; ${receipt.targetBranch} is at ${targetTip}`;
  if (repository.unnamed === undefined) return read;
  throw new Undecided(`${read}; no repository was named to compare it with: ${repository.unnamed}`, {
    next: namingIt(repositoryOf(receipt)),
  });
}

/** Whether this client knows the meaning of the statement's fields. */
export const isKnownVersion = ({ statementVersion: version }: MergeReceipt): boolean =>
  version === STATEMENT_VERSION;

/** @throws Undecided for a version that this client does not know */
function knownVersion(receipt: MergeReceipt): string {
  const { statementVersion: version } = receipt;
  if (isKnownVersion(receipt)) return `version ${version}`;
  throw new Undecided(`the statement is of version ${version}, which this client does not know.`, {
    next: 'update plat, then repeat the command',
  });
}

async function descends({ git, targetTip }: ReceiptClone, commitId: string, what: string): Promise<string> {
  if ((await git.try(['merge-base', '--is-ancestor', commitId, targetTip])).code === 0) {
    return `${commitId} is on the target branch`;
  }
  throw new Failure('RECEIPT_NOT_BORNE_OUT', `${what}, ${commitId}, is not on the target branch.`, {
    next: 'look for a force-push of the target branch, or give the right repository by --remote-url',
  });
}

async function compareCommit(
  { git }: ReceiptClone,
  { commitId, parentCommitId, treeId }: MergeReceipt,
): Promise<string | undefined> {
  if (commitId === undefined || treeId === undefined) return undefined;
  const [tree, parent] = (await git.run(['log', '-1', '--format=%T %P', commitId])).trim().split(' ');
  if (tree !== treeId) throw differs('the receipt names the tree', treeId, tree);
  if (parent !== parentCommitId) throw differs('the receipt names the parent', parentCommitId, parent);
  return `tree ${treeId}`;
}

async function compareAnchor(
  { git }: ReceiptClone,
  { anchorCommitId, commitId }: MergeReceipt,
): Promise<string | undefined> {
  if (anchorCommitId === undefined || commitId === undefined) return undefined;
  if ((await git.try(['merge-base', '--is-ancestor', anchorCommitId, commitId])).code === 0) {
    return `${anchorCommitId} is an ancestor`;
  }
  throw new Failure('RECEIPT_NOT_BORNE_OUT', `the anchor ${anchorCommitId} is no ancestor of the commit.`, {
    next: CORRUPT,
  });
}

const differs = (what: string, claimed: string | undefined, found: string | undefined): Failure =>
  new Failure('RECEIPT_NOT_BORNE_OUT', `${what} ${claimed ?? 'none'}, but it is ${found ?? 'none'}.`, {
    next: 'do not trust this receipt; give the right repository by --remote-url, or ask the administrator',
  });
