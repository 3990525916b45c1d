import type { MergeReceipt } from '@plat/api-client';
import { isBranchName, isCommitId } from '@plat/contracts/core';
import { canonicalRepository } from '@plat/remote';
import { Failure } from '../terminal/failure';

const IDS = [
  'targetTip',
  'commitId',
  'landedCommitId',
  'parentCommitId',
  'treeId',
  'anchorCommitId',
  'sourceTip',
  'builtOnCommitId',
] as const;
const BRANCHES = ['targetBranch', 'sourceBranch'] as const;

/**
 * Whether a receipt's words may be handed to git. They come from a service that is not trusted, and git would take an
 * id such as `--upload-pack=…` for an option, which runs a program.
 *
 * @throws Failure RECEIPT_NOT_READABLE
 */
export function checkWords(receipt: MergeReceipt): void {
  const told = receipt as unknown as Record<string, unknown>;
  const wrong = [
    ...IDS.filter((field) => told[field] !== undefined && !isWord(told[field], isCommitId)),
    ...BRANCHES.filter((field) => !isWord(told[field], isBranchName)),
    ...(isWord(told['remoteUrl'], (url) => canonicalRepository(url) !== undefined) ? [] : ['remoteUrl']),
  ];
  if (wrong.length === 0) return;
  throw new Failure('RECEIPT_NOT_READABLE', `the receipt's ${wrong.join(', ')} can't be read.`, {
    next: 'trust nothing of this receipt; ask the administrator of the platform',
    details: { fields: wrong },
  });
}

function isWord(value: unknown, isValid: (text: string) => boolean): boolean {
  return typeof value === 'string' && isValid(value);
}
