import { Controller } from '@nestjs/common';
import { Review, UpdateReviewStatus } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, PathId, RequestBody, Route } from '@plat/service';
import { ReviewStatusService } from './review-status.service';

@Controller()
export class ReviewStatusController {
  constructor(private readonly statuses: ReviewStatusService) {}

  @Route('updateReviewStatus', { response: Review })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestBody() body: UpdateReviewStatus,
  ): Promise<Review> {
    return this.statuses.update(caller, reviewId, body);
  }
}
