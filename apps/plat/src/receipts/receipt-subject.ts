import type { MergeReceipt } from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import type { Git } from '../git/git';
import { isPiece } from '../platform/named-id';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';

/**
 * The landing that the caller means. A platform that is not trusted chooses the receipt, so each word of the caller is
 * compared with the signed statement.
 */
export interface ReceiptSubject {
  reviewId: string;
  /** The text that names the review: its id, a part of the id, or its source branch. */
  name: string;
  targetBranch?: string | undefined;
  /** The commit that was reviewed, if the caller vouches for it. */
  sourceCommit?: string | undefined;
  repository: NamedRepository;
  /** The checkout in which the command runs; undefined outside of one, or if it names no repository. */
  checkout?: OwnCheckout | undefined;
}

/** The canonical identity of the repository that the caller means, or the reason why there is none. */
export type NamedRepository =
  { identity: string; unnamed?: undefined } | { identity?: undefined; unnamed: string };

/** A checkout, and the canonical identity of its origin. */
export interface OwnCheckout {
  git: Git;
  repository: string;
}

/**
 * Compares the receipt with the review, and the target branch, that the caller named.
 *
 * @throws Failure RECEIPT_OF_ANOTHER_REVIEW
 */
export function compareReview(
  receipt: MergeReceipt,
  { reviewId, name, targetBranch }: ReceiptSubject,
): string {
  const { sourceBranch } = receipt;
  if (receipt.reviewId !== reviewId) throw ofAnotherReview(`about the review ${receipt.reviewId}`, reviewId);
  const isById = isPiece(name) && reviewId.toLowerCase().includes(name.toLowerCase());
  if (sourceBranch !== name && !isById) throw ofAnotherReview(`of the branch ${sourceBranch}`, name);
  if (targetBranch !== undefined && receipt.targetBranch !== targetBranch) {
    throw ofAnotherReview(`of a landing on ${receipt.targetBranch}`, targetBranch);
  }
  return `${reviewId}: ${sourceBranch} onto ${receipt.targetBranch}`;
}

function ofAnotherReview(found: string, asked: string): Failure {
  return new Failure('RECEIPT_OF_ANOTHER_REVIEW', `the receipt is ${found}, and not of ${asked}.`, {
    next: 'do not trust this receipt, nor the platform that answered with it; ask its administrator',
  });
}

/** The canonical identity of the repository that the receipt names. Its words are checked before. */
export const repositoryOf = ({ remoteUrl }: MergeReceipt): string =>
  canonicalRepository(remoteUrl) ?? remoteUrl;

/**
 * Refuses a receipt of another repository than the caller means.
 *
 * @throws Failure RECEIPT_OF_ANOTHER_REPOSITORY
 */
export function requireSameRepository(
  receipt: MergeReceipt,
  { repository: { identity } }: ReceiptSubject,
): void {
  const repository = repositoryOf(receipt);
  if (identity === undefined || identity === repository) return;
  throw new Failure(
    'RECEIPT_OF_ANOTHER_REPOSITORY',
    `the receipt is of the repository ${repository}, and not of ${identity}.`,
    { details: { receipt: repository, meant: identity }, next: namingIt(repository) },
  );
}

/** The step that names the receipt's repository. */
export const namingIt = (repository: string): NextStep =>
  nextStep('if that is the repository that you mean, repeat the command with --repository', [repository]);
