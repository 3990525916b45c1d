import { type ApiClient, listComments } from '@plat/api-client';
import { idOrPiece, wholeId } from '../platform/named-id';
import { nextStep } from '../terminal/next-step';

const COMMENT = { what: 'The comment', listing: nextStep('plat review comments <review_id>') };

/** An id of a comment, or a part of one. @throws Failure INVALID_ID */
export function commentIdOrPiece(text: string): string {
  return idOrPiece(text, COMMENT);
}

/** The whole id of a comment of the review. @throws Failure NO_SUCH_ID, AMBIGUOUS_ID */
export function commentIdOf(api: ApiClient, reviewId: string, text: string): Promise<string> {
  return wholeId(text, {
    what: COMMENT.what,
    listing: nextStep('plat review comments', [reviewId]),
    candidates: async () =>
      (await listComments(api, { reviewId })).map(({ commentId, filePath, line }) => ({
        id: commentId,
        label: `${filePath}:${line}`,
      })),
  });
}
