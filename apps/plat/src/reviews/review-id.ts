import { type ApiClient, listReviews } from '@plat/api-client';
import { idOrPiece, wholeId } from '../session/named-id';
import { Args } from '../terminal/oclif';

const REVIEW = { what: 'The review', listing: 'plat review list' };

const DESCRIPTION = 'Id of the review, or a part of it of six characters or more';
const parse = async (text: string): Promise<string> => idOrPiece(text, REVIEW);

/** The review of a command: its id, or a part of it that `reviewIdOf` completes. */
export const reviewIdArgument = Args.string({
  description: DESCRIPTION,
  required: true,
  ignoreStdin: true,
  parse,
});

/** The same, for a command that takes the review of the checked-out branch if none is named. */
export const optionalReviewIdArgument = Args.string({
  description: `${DESCRIPTION} (default: the live review of the branch that is checked out)`,
  ignoreStdin: true,
  parse,
});

/** The whole id of a review, from a part of it. @throws Failure NO_SUCH_ID, AMBIGUOUS_ID */
export function reviewIdOf(api: ApiClient, text: string): Promise<string> {
  return wholeId(text, {
    ...REVIEW,
    candidates: async () =>
      (await listReviews(api)).map(({ reviewId, name, status }) => ({
        id: reviewId,
        label: `${status} ${name}`,
      })),
  });
}

/** The whole id for a flag that may be absent. @throws Failure INVALID_ID, NO_SUCH_ID, AMBIGUOUS_ID */
export async function reviewIdOfFlag(api: ApiClient, text: string | undefined): Promise<string | undefined> {
  return text === undefined ? undefined : reviewIdOf(api, idOrPiece(text, REVIEW));
}
