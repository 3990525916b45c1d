import { isCommitId } from '@plat/contracts/core';
import { canonicalRepository } from '@plat/remote';
import { openCheckout, repositoryOfCheckout } from '../checkout/checkout';
import { namedRepository } from '../checkout/repository-choice';
import { requireBranchName } from '../git/branches';
import { Failure } from '../terminal/failure';
import { withoutCredentials } from '../terminal/printable';
import type { OwnCheckout, ReceiptSubject } from './receipt-subject';

/** The flags that say which landing is meant. */
interface CallerFlags {
  repository?: string | undefined;
  'remote-url'?: string | undefined;
  'target-branch'?: string | undefined;
  'source-commit'?: string | undefined;
}

/** The words that a receipt is compared with, except the review itself. */
type CallerWords = Omit<ReceiptSubject, 'reviewId' | 'name'>;

/** Reasons to go on without a checkout. */
const NO_CHECKOUT_CODES = ['NOT_A_CHECKOUT', 'CHECKOUT_OF_ANOTHER_USER', 'NO_REPOSITORY', 'REWRITTEN_REMOTE'];

/**
 * Reads the caller's words before any call. The repository is the one that a flag names, otherwise that of the
 * checkout's origin.
 *
 * @throws Failure INVALID_REPOSITORY, INVALID_BRANCH, INVALID_COMMIT_ID
 */
export async function readCallerWords(flags: CallerFlags, interrupted: AbortSignal): Promise<CallerWords> {
  const { 'target-branch': targetBranch, 'source-commit': sourceCommit } = flags;
  if (targetBranch !== undefined) requireBranchName(targetBranch, '--target-branch');
  if (sourceCommit !== undefined) requireCommitId(sourceCommit);
  const named = repositoryOfFlags(flags);
  const checkout = await openOwnCheckout(interrupted);
  const words = { targetBranch, sourceCommit };
  if (checkout instanceof Failure) return { ...words, repository: named ?? { unnamed: checkout.message } };
  return { ...words, repository: named ?? { identity: checkout.repository }, checkout };
}

function requireCommitId(commitId: string): void {
  if (isCommitId(commitId)) return;
  throw new Failure(
    'INVALID_COMMIT_ID',
    `--source-commit ${JSON.stringify(commitId)} is not a full commit id.`,
    { next: 'give the id as git rev-parse prints it' },
  );
}

/** Undefined if no flag names a repository. `--remote-url` may have a form that only git can read. */
function repositoryOfFlags({ repository, 'remote-url': remoteUrl }: CallerFlags) {
  if (repository !== undefined) return { identity: namedRepository(repository) };
  if (remoteUrl === undefined) return undefined;
  const identity = canonicalRepository(remoteUrl);
  if (identity !== undefined) return { identity };
  return { unnamed: `--remote-url ${withoutCredentials(remoteUrl)} is no full address.` };
}

async function openOwnCheckout(interrupted: AbortSignal): Promise<OwnCheckout | Failure> {
  try {
    const git = await openCheckout(process.cwd(), interrupted);
    return { git, repository: await repositoryOfCheckout(git) };
  } catch (error) {
    if (error instanceof Failure && NO_CHECKOUT_CODES.includes(error.code)) return error;
    throw error;
  }
}
