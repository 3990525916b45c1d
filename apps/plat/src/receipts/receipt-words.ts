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
 * Checks that a receipt's words are safe as arguments of git. They come from a service that is not trusted, and git
 * would take an id such as `--upload-pack=…` for an option, which runs a program.
 *
 * @throws Failure RECEIPT_NOT_READABLE
 */
export function checkWords(receipt: MergeReceipt): void {
  const fields = receipt as unknown as Record<string, unknown>;
  const wrong = [
    ...IDS.filter((field) => fields[field] !== undefined && !isWord(fields[field], isCommitId)),
    ...(areCommits(receipt.findings) ? [] : ['findings']),
    ...BRANCHES.filter((field) => !isWord(fields[field], isBranchName)),
    ...(isWord(fields['remoteUrl'], (url) => canonicalRepository(url) !== undefined) ? [] : ['remoteUrl']),
  ];
  if (wrong.length === 0) return;
  throw new Failure('RECEIPT_NOT_READABLE', `the receipt's ${wrong.join(', ')} can't be read.`, {
    next: 'do not trust this receipt; ask the administrator of the platform',
    details: { fields: wrong },
  });
}

/** Whether each finding that names a commit names it by its id. */
function areCommits(findings: unknown = []): boolean {
  return (
    Array.isArray(findings) &&
    findings.every((finding: { commitId?: unknown } | null) => {
      const commitId = finding?.commitId;
      return commitId === undefined || isWord(commitId, isCommitId);
    })
  );
}

function isWord(value: unknown, isValid: (text: string) => boolean): boolean {
  return typeof value === 'string' && isValid(value);
}
