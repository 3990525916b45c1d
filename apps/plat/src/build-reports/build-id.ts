import { type ApiClient, listReviewBuilds } from '@plat/api-client';
import { idOrPiece, wholeId } from '../platform/named-id';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

const BUILD = { what: 'The build', listing: nextStep('plat review builds <review_id>') };

/** An id of a build, or a part of one. @throws Failure INVALID_ID */
export function buildIdOrPiece(text: string): string {
  return idOrPiece(text, BUILD);
}

/** The id of the newest GATE build of the review that succeeded. @throws Failure NO_GATE_BUILD */
export async function newestGateBuild(api: ApiClient, reviewId: string): Promise<string> {
  const builds = await listReviewBuilds(api, { reviewId });
  const newest = builds.find(({ kind, successful }) => kind === 'GATE' && successful);
  if (newest) return newest.buildId;
  throw new Failure('NO_GATE_BUILD', 'No GATE build of the review has succeeded.', {
    details: { reviewId },
    next: nextStep('plat build --gate && plat review record-build', [reviewId], '--gate'),
  });
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
