import { type NamedQueue, queueKey, statusAddress } from '../queues/queue-address';
import { readQueue } from '../queues/read-queue';
import { address, type ApiReader } from '../reads/api-reader';
import { orUndefined } from '../reads/read-failure';
import type { Build, QueueStatus, Review, ReviewEvent, ReviewHistory } from '../reads/shapes';

/** The newest of a person's live reviews are shown with what happened last; of more, only the name. */
const DETAILED_MAX = 20;
const QUEUES_MAX = 6;
const PAST_MAX = 10;

export interface YourReview {
  review: Review;
  /** The status of the queue that it is in; absent if it is in none, or the caller may not see it. */
  queue?: QueueStatus | undefined;
  /** The last move. */
  last?: ReviewEvent | undefined;
  /** Why the last move was made, if it has a reason: that of an override, or what a failed build says. */
  reason?: string | undefined;
}

type LastMove = Pick<YourReview, 'last' | 'reason'>;

export interface Yours {
  live: YourReview[];
  /** MERGED and CLOSED, those that ended last first. */
  past: Review[];
  /** How many there are in all. */
  count: number;
}

const IN_QUEUE: readonly Review['status'][] = ['MERGE', 'READY'];

/** The reviews of a person. Keeps last moves: a review that was not updated has made no other one. */
export class YoursReader {
  private readonly lastMoves = new Map<string, LastMove & { updatedAt: string }>();
  private watched: string | undefined;

  constructor(
    private readonly reader: ApiReader,
    private readonly userId: string,
  ) {}

  /** The address that is worth a wait: the queue of the review that is next, or the newest live review. */
  get worthAWait(): string | undefined {
    return this.watched;
  }

  /** @param early takes the reviews alone, before their queues and moves are read */
  async load(signal: AbortSignal, early: (yours: Yours) => void): Promise<Yours> {
    const all = await this.reader.get<Review[]>(
      address('/v1/reviews', { authorUserId: this.userId }),
      signal,
    );
    const isPast = ({ status }: Review): boolean => status === 'MERGED' || status === 'CLOSED';
    const live = all.filter((review) => !isPast(review)).sort(byUrgency);
    const past = all.filter(isPast).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    const rest = { past: past.slice(0, PAST_MAX), count: all.length };
    early({ live: live.map((review) => ({ review })), ...rest });
    const [queues, lasts] = await Promise.all([
      this.readQueues(live, signal),
      Promise.all(live.slice(0, DETAILED_MAX).map((review) => this.lastMove(review, signal))),
    ]);
    const [first] = live;
    if (first === undefined) this.watched = undefined;
    else if (queues.has(queueKey(first))) this.watched = statusAddress(first);
    else this.watched = `/v1/reviews/${first.reviewId}`;
    return {
      live: live.map((review, n) => ({ review, queue: inQueue(review, queues), ...lasts[n] })),
      ...rest,
    };
  }

  private async readQueues(live: readonly Review[], signal: AbortSignal): Promise<Map<string, QueueStatus>> {
    const named = new Map<string, NamedQueue>();
    for (const review of live) if (IN_QUEUE.includes(review.status)) named.set(queueKey(review), review);
    const chosen = [...named].slice(0, QUEUES_MAX);
    const read = await Promise.all(
      chosen.map(async ([key, queue]) => {
        const status = await orUndefined(readQueue(this.reader, queue, signal));
        return status === undefined ? [] : [[key, status] as const];
      }),
    );
    return new Map(read.flat());
  }

  private async lastMove({ reviewId, updatedAt }: Review, signal: AbortSignal): Promise<LastMove> {
    const known = this.lastMoves.get(reviewId);
    if (known?.updatedAt === updatedAt) return known;
    const path = address(`/v1/reviews/${reviewId}/history`, { limit: '1' });
    const history = await orUndefined(this.reader.get<ReviewHistory>(path, signal));
    const last = history?.events[0];
    if (last === undefined) return {};
    const move = {
      updatedAt,
      last,
      reason: last.reason ?? (await this.failureDetail(reviewId, last, signal)),
    };
    this.lastMoves.set(reviewId, move);
    return move;
  }

  private async failureDetail(
    reviewId: string,
    { cause, buildId }: ReviewEvent,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (buildId === undefined || (cause !== 'BUILD_FAILED' && cause !== 'GATE_FAILED')) return undefined;
    const path = `/v1/reviews/${reviewId}/builds/${buildId}`;
    return (await orUndefined(this.reader.get<Build>(path, signal)))?.failureDetail;
  }
}

function inQueue(review: Review, queues: ReadonlyMap<string, QueueStatus>): QueueStatus | undefined {
  return IN_QUEUE.includes(review.status) ? queues.get(queueKey(review)) : undefined;
}

const URGENCY: readonly Review['status'][] = ['MERGE', 'READY', 'FAILED', 'OPEN'];

function byUrgency(a: Review, b: Review): number {
  return URGENCY.indexOf(a.status) - URGENCY.indexOf(b.status) || (a.updatedAt < b.updatedAt ? 1 : -1);
}
