import { Controller } from '@nestjs/common';
import {
  AdvanceMergeQueue,
  CheckMergeQueue,
  MergeQueueCheck,
  MergeQueueFilters,
  MergeQueueStatistics,
  MergeQueueStatisticsQuery,
  MergeQueueStatus,
  MergeQueueStatusQuery,
  OverrideAdvanceMergeQueue,
  Review,
} from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, type ListAnswer, RequestBody, RequestQuery, Route } from '@plat/service';
import { MergeQueueService } from './merge-queue.service';

@Controller()
export class MergeQueueController {
  constructor(private readonly queue: MergeQueueService) {}

  @Route('listMergeQueue', { response: Review, list: true })
  list(
    @CurrentCaller() caller: Caller,
    @RequestQuery() filters: MergeQueueFilters,
  ): Promise<ListAnswer<Review>> {
    return this.queue.list(caller, filters);
  }

  @Route('getMergeQueueStatus', { response: MergeQueueStatus })
  status(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: MergeQueueStatusQuery,
  ): Promise<MergeQueueStatus> {
    return this.queue.status(caller, query);
  }

  @Route('getMergeQueueStatistics', { response: MergeQueueStatistics })
  statistics(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: MergeQueueStatisticsQuery,
  ): Promise<MergeQueueStatistics> {
    return this.queue.statistics(caller, query);
  }

  @Route('advanceMergeQueue', { response: Review })
  advance(@CurrentCaller() caller: Caller, @RequestBody() body: AdvanceMergeQueue): Promise<Review> {
    return this.queue.advance(caller, body);
  }

  /** Reads the remote and no row: the answer depends on the body alone, and is the same for every tenant. */
  @Route('checkMergeQueue', { response: MergeQueueCheck })
  check(@CurrentCaller() caller: Caller, @RequestBody() body: CheckMergeQueue): Promise<MergeQueueCheck> {
    return this.queue.check(caller, body);
  }

  /** Requires a reason, which the log of moves and the request's audit row keep. Spec: API, Events, rule 3. */
  @Route('overrideAdvanceMergeQueue', { response: Review })
  overrideAdvance(
    @CurrentCaller() caller: Caller,
    @RequestBody() body: OverrideAdvanceMergeQueue,
  ): Promise<Review> {
    return this.queue.advance(caller, body, body.reason);
  }
}
