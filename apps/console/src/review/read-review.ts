import { statusAddress } from '../queues/queue-address';
import { address, type ApiReader } from '../reads/api-reader';
import { ReadFailure } from '../reads/read-failure';
import type {
  Build,
  Comment,
  GateRunPage,
  MergeReceipt,
  Release,
  Review,
  ReviewHistory,
} from '../reads/shapes';

/** A part of the page, or why it is missing: the caller may see some of them only. */
export type Part<Content> =
  { content: Content; failure?: undefined } | { content?: undefined; failure: ReadFailure };

export interface ReviewContent {
  review: Review;
  history: Part<ReviewHistory>;
  builds: Part<Build[]>;
  gateRuns: Part<GateRunPage>;
  comments: Part<Comment[]>;
  /** Present with MERGED only. */
  receipt?: Part<MergeReceipt> | undefined;
  releases: Part<Release[]>;
}

export const historyAddress = (reviewId: string, cursor?: string): string =>
  address(`/v1/reviews/${reviewId}/history`, { cursor });

export const gateRunsAddress = (reviewId: string, cursor?: string): string =>
  address('/v1/gate-runs', { reviewId, cursor });

/** Reads a review and its related resources. @throws ReadFailure if the review itself cannot be read */
export async function readReview(
  reader: ApiReader,
  reviewId: string,
  signal: AbortSignal,
): Promise<ReviewContent> {
  const part = async <Content>(path: string): Promise<Part<Content>> =>
    reader.get<Content>(path, signal).then(
      (content) => ({ content }),
      (error: unknown) => {
        if (error instanceof ReadFailure && error.kind !== 'signed-out' && error.kind !== 'unreachable') {
          return { failure: error };
        }
        throw error;
      },
    );
  const path = `/v1/reviews/${reviewId}`;
  const [review, history, builds, gateRuns, comments, releases] = await Promise.all([
    reader.get<Review>(path, signal),
    part<ReviewHistory>(historyAddress(reviewId)),
    part<Build[]>(`${path}/builds`),
    part<GateRunPage>(gateRunsAddress(reviewId)),
    part<Comment[]>(`${path}/comments`),
    part<Release[]>(`${path}/releases`),
  ]);
  const receipt = review.status === 'MERGED' ? await part<MergeReceipt>(`${path}/merge-receipt`) : undefined;
  return { review, history, builds, gateRuns, comments, releases, receipt };
}

/** Returns the address that changes with the review: its queue, which shows gate runs and threads too, or itself. */
export function watchedOf({ reviewId, status, ...queue }: Review): string {
  const isQueued = status === 'READY' || status === 'MERGE';
  return isQueued ? statusAddress(queue) : `/v1/reviews/${reviewId}`;
}
