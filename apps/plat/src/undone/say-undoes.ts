import { type ApiClient, type Comment, createComment, updateCommentStatus } from '@plat/api-client';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { NamedFinding, UndoneReport } from './undone-report';

/** Most places that a comment names. */
const PLACES_MAX = 20;
/** The first digits of a commit's id by which a landing without a review may be named. */
const COMMIT_DIGITS_MIN = 7;

/**
 * Chooses the findings about one earlier landing.
 *
 * @param landing its review's id, or the first digits of that or of its commit
 * @throws Failure NOTHING_UNDONE if there is none, or they are of several
 */
export function findingsAbout({ findings, reverts }: UndoneReport, landing: string): NamedFinding[] {
  const text = landing.toLowerCase();
  const about = [...findings, ...reverts].filter(
    ({ reviewId, commitId }) =>
      text.length >= COMMIT_DIGITS_MIN && (reviewId?.startsWith(text) || commitId.startsWith(text)),
  );
  if (new Set(about.map(({ reviewId, commitId }) => reviewId ?? commitId)).size === 1) return about;
  const which = about.length === 0 ? 'no landing' : 'several landings';
  throw new Failure('NOTHING_UNDONE', `The review takes back work of ${which} with the id ${landing}.`, {
    next: nextStep('plat review undoes shows the landings with their ids'),
  });
}

/**
 * Records on a review that it takes back the work of an earlier landing on purpose: a comment at the first place, whose thread
 * is closed, so that it holds nothing up.
 *
 * @param about the findings about that landing; at least one
 * @param commitId the commit of the source
 * @throws ApiFault
 */
export async function sayUndoes(
  api: ApiClient,
  { reviewId, commitId, about }: { reviewId: string; commitId: string; about: readonly NamedFinding[] },
): Promise<Comment> {
  const [first] = about as [NamedFinding];
  const places = about.slice(0, PLACES_MAX).map(({ path, firstLine, lastLine }) => {
    return firstLine === undefined ? path : `${path}:${firstLine}-${lastLine}`;
  });
  const body = [`This undoes ${first.reviewId ?? first.commitId}, on purpose:`, ...places].join('\n');
  const address = { commitId, filePath: first.path, line: first.firstLine ?? 1 };
  const thread = await createComment(api, { reviewId, body: { ...address, body } });
  return updateCommentStatus(api, { reviewId, commentId: thread.commentId, body: { status: 'CLOSED' } });
}
