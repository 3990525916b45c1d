import { Injectable } from '@nestjs/common';
import type { AdvanceMergeQueue, MergeQueueFilters, Review } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { namedRepository } from '../reviews/named-repository';
import { toReview } from '../reviews/review.response';
import { advance, pageMergeQueue, type WaitingRow } from './merge-queue.queries';

@Injectable()
export class MergeQueueService {
  constructor(private readonly database: Database) {}

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
}
