import type { ApiClient } from '@plat/api-client';
import { isBranchName, isId } from '@plat/contracts/core';
import { idOrPiece } from '../platform/named-id';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { Args } from '../terminal/oclif';
import { findCheckedOutReview, type MeantReview } from './checked-out-review';
import { findNamedReview } from './named-review';

const DESCRIPTION =
  'Id of the review, a part of it of six characters or more, or its branch (default: the live review of the branch ' +
  'that is checked out)';

/** Accepts an id, a part of one or a branch, and refuses any other text before a call. @throws Failure INVALID_ID */
function namingReview(text: string): string {
  if (isBranchName(text)) return text;
  return idOrPiece(text, { what: 'The review', listing: nextStep('plat review list') });
}

/** The review of a command: what `reviewIdOf` turns into its id. */
export const reviewIdArgument = Args.string({
  description: DESCRIPTION,
  ignoreStdin: true,
  parse: async (text) => namingReview(text),
});

/**
 * The review that is given by its id, a part of it or its branch; if none is given, the live review of the branch that
 * is checked out.
 *
 * @throws Failure NO_SUCH_ID, AMBIGUOUS_ID; without a text NOT_A_CHECKOUT, NO_REPOSITORY, NO_BRANCH, NO_LIVE_REVIEW
 */
export async function meantReview(api: ApiClient, text: string | undefined): Promise<MeantReview> {
  if (text === undefined) return findCheckedOutReview(api);
  return { reviewId: isId(text) ? text : await findNamedReview(api, text), name: text };
}

/** The whole id of that review. @throws Failure as `meantReview` */
export async function reviewIdOf(api: ApiClient, text: string | undefined): Promise<string> {
  return (await meantReview(api, text)).reviewId;
}

/** The same for a flag, whose absence names no review. @throws Failure INVALID_ID, NO_SUCH_ID, AMBIGUOUS_ID */
export async function reviewIdOfFlag(api: ApiClient, text: string | undefined): Promise<string | undefined> {
  return text === undefined ? undefined : reviewIdOf(api, namingReview(text));
}

/** The arguments of a command that takes a review and one thing more. */
interface ReviewAnd {
  review: string | undefined;
  other: string | undefined;
}

/**
 * The arguments of a command whose review may be left out although it comes first: a single one is the other.
 *
 * @param what the other, such as `comment`
 * @throws Failure MISSING_ARGUMENT
 */
export function withoutReview(args: ReviewAnd, what: string): { review: string | undefined; other: string } {
  if (args.other !== undefined) return { review: args.review, other: args.other };
  if (args.review !== undefined) return { review: undefined, other: args.review };
  throw new Failure('MISSING_ARGUMENT', `The ${what} is missing.`, { next: 'see the examples with --help' });
}
