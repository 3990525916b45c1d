import { type ApiClient, listReviewBuilds } from '@plat/api-client';
import { idOrPiece, wholeId } from '../session/named-id';
import { nextStep } from '../terminal/next-step';

const BUILD = { what: 'The build', listing: nextStep('plat review builds <review_id>') };

/** An id of a build, or a part of one. @throws Failure INVALID_ID */
export function buildIdOrPiece(text: string): string {
  return idOrPiece(text, BUILD);
}

/** The whole id of a build of the review. @throws Failure NO_SUCH_ID, AMBIGUOUS_ID */
export function buildIdOf(api: ApiClient, reviewId: string, text: string): Promise<string> {
  return wholeId(text, {
    what: BUILD.what,
    listing: nextStep('plat review builds', [reviewId]),
    candidates: async () =>
      (await listReviewBuilds(api, { reviewId })).map(({ buildId, kind, commitId }) => ({
        id: buildId,
        label: `${kind} of ${commitId}`,
      })),
  });
}
