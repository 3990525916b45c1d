import { type ApiClient, getMergeReceipt, type MergeReceipt, type Review } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import { placeLine } from './undone-text';
import { unknownText } from './unknown-text';

type UndoneWork = MergeReceipt['undoneWork'];
type Place = UndoneWork['findings'][number];

/**
 * Reads the work that a MERGED review took back of earlier landings, and that later ones took back of it.
 *
 * @returns undefined if it is not MERGED, or has no receipt that the caller may read
 */
export async function readLandedUndone(
  api: ApiClient,
  { reviewId, status }: Pick<Review, 'reviewId' | 'status'>,
): Promise<UndoneWork | undefined> {
  if (status !== 'MERGED') return undefined;
  // A platform without a signing key has no receipt, and a role may not allow it.
  const receipt = await getMergeReceipt(api, { reviewId }).catch(() => undefined);
  return receipt?.undoneWork;
}

/** The undone work of a merge in both directions, a line for each landing and each place. No line if there is none. */
export function landedUndoneLines(undoneWork: UndoneWork): string[] {
  const { findings, findingsLeftOut = 0, reverts, undoneBy, revertedBy, unknown } = undoneWork;
  const leftOut = findingsLeftOut > 0 ? [`  and ${findingsLeftOut} more places`] : [];
  return [
    ...linesOf('It took back work of', findings),
    ...leftOut,
    ...linesOf('It reverted, as it says,', reverts),
    ...linesOf('Taken back in part by', undoneBy),
    ...linesOf('Reverted in part by', revertedBy),
    ...(unknown === undefined
      ? []
      : [`Whether it took back work of earlier landings is not known: ${unknownText(unknown)}.`]),
  ].map(printableLine);
}

function linesOf(head: string, places: readonly Place[]): string[] {
  const commitIds = [...new Set(places.map(({ commitId }) => commitId))];
  return commitIds.flatMap((id) => {
    const of = places.filter(({ commitId }) => commitId === id);
    const { reviewId, reviewName } = of[0] as Place;
    const landing =
      reviewId === undefined ? `commit ${id.slice(0, 10)}` : `"${reviewName ?? ''}" (review ${reviewId})`;
    return [`${head} ${landing}:`, ...of.map(placeLine)];
  });
}
