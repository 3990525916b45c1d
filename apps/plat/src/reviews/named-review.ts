import { type ApiClient, listReviews, type Review } from '@plat/api-client';
import { checkoutHere } from '../checkout/checkout-here';
import { havingPiece, isPiece, isShortPiece } from '../platform/named-id';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';

const CANDIDATES_MAX = 10;

/** Whether a review is still on its way. */
export const isLive = ({ status }: Pick<Review, 'status'>): boolean =>
  status !== 'MERGED' && status !== 'CLOSED';

/**
 * The id of the only review that the text names: by a part of its id, or by its source branch. Of several reviews of a
 * branch the live ones count, and of those the ones of the checkout's repository.
 *
 * @throws Failure NO_SUCH_ID, AMBIGUOUS_ID with the candidates
 */
export async function findNamedReview(api: ApiClient, text: string): Promise<string> {
  // A part of an id can be the name of a branch too.
  const reviews = await listReviews(api, { query: isPiece(text) ? {} : { sourceBranch: text } });
  const byPiece = isPiece(text) ? havingPiece(text, reviews, ({ reviewId }) => reviewId) : [];
  const byBranch = await ofBranch(reviews.filter(({ sourceBranch }) => sourceBranch === text));
  const found = [...new Set([...byPiece, ...byBranch])];
  const [only, ...more] = found;
  if (!only) {
    if (isShortPiece(text)) throw await tooShort(api, text);
    throw new Failure('NO_SUCH_ID', printableLine(`No review has ${text} in its id, or as its branch.`), {
      next: 'plat review list',
    });
  }
  if (more.length > 0) throw ambiguous(`${found.length} reviews are meant by ${text}`, found);
  return only.reviewId;
}

/** The failure for a part of an id that is too short to name a review, with the reviews that have it. */
async function tooShort(api: ApiClient, text: string): Promise<Failure> {
  const having = havingPiece(text, await listReviews(api, { query: {} }), ({ reviewId }) => reviewId);
  const what = `${text} is no branch of a review, and too short for a part of an id: give six characters or more`;
  if (having.length === 0) {
    return new Failure('INCOMPLETE_ID', printableLine(`${what}.`), { next: 'plat review list' });
  }
  const listed = ambiguous(
    `${what}. ${having.length === 1 ? 'One review has it' : `${having.length} reviews have it`}`,
    having,
  );
  return new Failure('INCOMPLETE_ID', listed.message, { details: listed.details });
}

async function ofBranch(reviews: readonly Review[]): Promise<readonly Review[]> {
  const live = reviews.filter(isLive);
  const meant = live.length > 0 ? live : reviews;
  if (meant.length < 2) return meant;
  const repository = (await checkoutHere())?.repository;
  const here = meant.filter((review) => review.repository === repository);
  return here.length > 0 ? here : meant;
}

/** The failure that lists the reviews that are meant, one a line. */
export function ambiguous(what: string, candidates: readonly Review[]): Failure {
  const shown = candidates
    .slice(0, CANDIDATES_MAX)
    .map(({ reviewId, status, name, sourceBranch, targetBranch }) =>
      printableLine(`  ${reviewId}  ${status}  ${sourceBranch} onto ${targetBranch}  ${name}`),
    );
  const left = candidates.length - shown.length;
  const lines = left > 0 ? [...shown, `  and ${left} more`] : shown;
  return new Failure('AMBIGUOUS_ID', `${printableLine(what)}:\n${lines.join('\n')}`, {
    details: { candidates: candidates.map(({ reviewId }) => reviewId) },
    next: 'repeat the command with the id of the review, or more of it',
  });
}
