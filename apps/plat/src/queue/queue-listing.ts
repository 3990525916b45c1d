import { type ApiClient, listMergeQueue, type MergeQueueStatus, type Review } from '@plat/api-client';
import type { Table } from '../terminal/table';
import { blockedText, noEstimateText } from './queue-words';
import { type Entry, readStatusUntil, type Slot, unlessRefused } from './read-queue';

/** A review that waits, with its place in the queue as far as the platform says. */
export type ListedReview = Review & {
  /** Counted from 1. */
  position?: number;
  since?: string;
  blockedBy?: Entry['blockedBy'];
  estimate?: Entry['estimate'];
  /** The state of the slot before it. */
  slot?: Pick<Slot, 'activity' | 'health' | 'cause'>;
};

/** Queues whose status is read at the same time. */
const AT_ONCE = 4;

/** The reviews that wait, in queue order, each with what the status of its queue says of it. */
export async function listQueue(
  api: ApiClient,
  query: { repository: string | undefined; targetBranch: string | undefined },
): Promise<ListedReview[]> {
  const reviews = await listMergeQueue(api, { query });
  const queues = byQueue(reviews);
  const statuses = new Map<string, MergeQueueStatus | undefined>();
  for (let at = 0; at < queues.length; at += AT_ONCE) {
    await Promise.all(
      queues.slice(at, at + AT_ONCE).map(async (members) => {
        const { targetBranch, repository } = members[0]!;
        const last = members.at(-1)!.reviewId;
        const reading = readStatusUntil(
          api,
          { targetBranch, repository },
          (entry) => entry.reviewId === last,
        );
        statuses.set(queueOf(members[0]!), await unlessRefused(reading));
      }),
    );
  }
  const entries = new Map([...statuses].map(([queue, status]) => [queue, byReview(status)]));
  return reviews.map((review) => {
    const status = statuses.get(queueOf(review));
    return listed(review, entries.get(queueOf(review))?.get(review.reviewId), status?.slot);
  });
}

const queueOf = ({ targetBranch, repository }: Review): string => `${targetBranch} ${repository ?? ''}`;

/** The reviews of each queue, in their order. */
function byQueue(reviews: readonly Review[]): Review[][] {
  const queues = new Map<string, Review[]>();
  for (const review of reviews) {
    const members = queues.get(queueOf(review));
    if (members) members.push(review);
    else queues.set(queueOf(review), [review]);
  }
  return [...queues.values()];
}

const byReview = (status: MergeQueueStatus | undefined): Map<string, Entry> =>
  new Map(status?.entries.map((entry) => [entry.reviewId, entry]));

function listed(review: Review, entry: Entry | undefined, slot: Slot | undefined): ListedReview {
  const { position, since, blockedBy, estimate } = entry ?? {};
  const of = slot && { activity: slot.activity, health: slot.health, cause: slot.cause };
  return { ...review, position, since, blockedBy, estimate, slot: of };
}

/** Queues, one review a line. */
export function queueTable(reviews: readonly ListedReview[], names: ReadonlyMap<string, string>): Table {
  return {
    columns: [
      { title: 'PLACE', as: 'number' },
      'TARGET',
      { title: 'REVIEW', as: 'id' },
      { title: 'SOURCE', as: 'elastic' },
      { title: 'NAME', as: 'elastic' },
      { title: 'AUTHOR', as: 'id' },
      { title: 'SINCE', as: 'time' },
      { title: 'MERGED', as: 'time' },
      { title: 'SLOT', as: 'status' },
    ],
    rows: reviews.map((review) => [
      review.position?.toString(),
      review.targetBranch,
      review.reviewId,
      review.sourceBranch,
      review.name,
      names.get(review.authorUserId) ?? review.authorUserId,
      review.since,
      review.estimate && mergedCell(review.estimate),
      review.slot?.health,
    ]),
    whenEmpty: 'The queue is empty.',
  };
}

/** The entries of one queue, one a line. */
export function entryTable(entries: readonly Entry[], names: ReadonlyMap<string, string>): Table {
  return {
    columns: [
      { title: 'PLACE', as: 'number' },
      { title: 'REVIEW', as: 'id' },
      { title: 'SOURCE', as: 'elastic' },
      { title: 'NAME', as: 'elastic' },
      { title: 'AUTHOR', as: 'id' },
      { title: 'SINCE', as: 'time' },
      { title: 'MERGED', as: 'time' },
      { title: 'BLOCKED BY', as: 'text' },
    ],
    rows: entries.map((entry) => [
      entry.position.toString(),
      entry.reviewId,
      entry.sourceBranch,
      entry.name,
      names.get(entry.authorUserId) ?? entry.authorUserId,
      entry.since,
      mergedCell(entry.estimate),
      blockedText(entry),
    ]),
    whenEmpty: 'Nothing waits.',
  };
}

/** The likely time, or why it is unknown. */
const mergedCell = (estimate: Entry['estimate']): string | undefined =>
  estimate.likely ?? noEstimateText(estimate);
