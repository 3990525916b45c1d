import { Injectable } from '@nestjs/common';
import { EDGE_TIMEOUT_SECONDS, type NotReadableReason, pageSize } from '@plat/contracts/core';
import type {
  AdvanceMergeQueue,
  CheckMergeQueue,
  MergeQueueCheck,
  MergeQueueFilters,
  MergeQueueStatistics,
  MergeQueueStatisticsQuery,
  MergeQueueStatus,
  MergeQueueStatusQuery,
  NamedMergeQueue,
  Review,
} from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import { answerList, type Caller, changesByTime, type ListAnswer } from '@plat/service';
import { MergeVerification } from '../merge-verifications/merge-verification';
import { namedRepository } from '../reviews/named-repository';
import { toReview } from '../reviews/review.response';
import {
  advance,
  pageMergeQueue,
  type QueueName,
  readDivergentLandings,
  readQueueStatistics,
  readQueueStatus,
  type WaitingRow,
} from './merge-queue.queries';
import { toQueueStatistics } from './queue-statistics.response';
import { toQueueStatus } from './queue-status.response';

/** Longest time of a check in milliseconds, so that the service answers before the edge gives up. */
const CHECK_MS = (EDGE_TIMEOUT_SECONDS - 5) * 1_000;

@Injectable()
export class MergeQueueService {
  constructor(
    private readonly database: Database,
    private readonly merges: MergeVerification,
  ) {}

  /** @throws INVALID_REPOSITORY */
  async list(caller: Caller, { repository, targetBranch }: MergeQueueFilters): Promise<ListAnswer<Review>> {
    const filters = { repository: namedRepository(repository), targetBranch };
    let asOf: string | undefined;
    return answerList({
      page: async (after: WaitingRow | undefined, rows) => {
        const page = await pageMergeQueue(this.database, caller, { filters, after, asOf, rows });
        asOf ??= page[0]?.as_of;
        return page;
      },
      toItem: toReview,
    });
  }

  /**
   * Promotes the head of the queue. A reason skips the check of its comment threads and no other check.
   *
   * @throws INVALID_REPOSITORY, EMPTY_QUEUE, MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS, UnresolvedThreadsError
   */
  async advance(caller: Caller, body: AdvanceMergeQueue, reason?: string): Promise<Review> {
    const repository = namedRepository(body.repository) ?? null;
    const { targetBranch } = body;
    const [row] = await advance(this.database, caller, { targetBranch, repository, reason });
    return toReview(row!);
  }

  /**
   * Reads the target branch as the verification of a MERGED report begins. No database connection is held meanwhile.
   *
   * @throws INVALID_REPOSITORY, SERVICE_UNAVAILABLE
   */
  async check(caller: Caller, { repository, targetBranch }: CheckMergeQueue): Promise<MergeQueueCheck> {
    namedRepository(repository);
    const until = AbortSignal.timeout(CHECK_MS);
    const verdict = await caller.aside(() =>
      this.merges.readBranch({ caller, until }, { remoteUrl: repository, targetBranch }),
    );
    if (verdict.verified) return { readable: true };
    return { readable: false, reason: verdict.reason as NotReadableReason };
  }

  /** Reads the status of a queue and a page of its entries. @throws INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS */
  async status(
    caller: Caller,
    { cursor = '0-0', limit, ...named }: MergeQueueStatusQuery,
  ): Promise<MergeQueueStatus> {
    const size = pageSize(limit === undefined ? undefined : Number(limit));
    const [position, afterTicket] = cursor.split('-') as [string, string];
    const queue = queueOf(named);
    const page = { queue, afterTicket, rows: size + 1 };
    const [row] = await readQueueStatus(this.database, caller, page);
    const divergent = await readDivergentLandings(this.database, caller, queue);
    const shown = { targetBranch: named.targetBranch, after: Number(position), size, divergent };
    const { status, timeToChange } = toQueueStatus(row!, shown);
    return changesByTime(status, timeToChange);
  }

  /** Reads the outcomes of a queue's reviews. @throws INVALID_QUERY, INVALID_REPOSITORY, MERGE_QUEUE_AMBIGUOUS */
  async statistics(
    caller: Caller,
    { since, until, ...named }: MergeQueueStatisticsQuery,
  ): Promise<MergeQueueStatistics> {
    const [row] = await readQueueStatistics(this.database, caller, { queue: queueOf(named), since, until });
    return toQueueStatistics(row!, named.targetBranch);
  }
}

/** @throws INVALID_REPOSITORY */
function queueOf({ targetBranch, repository }: NamedMergeQueue): QueueName {
  return { targetBranch, repository: namedRepository(repository) ?? null };
}
