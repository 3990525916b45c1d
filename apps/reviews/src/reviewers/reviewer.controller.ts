import { Controller } from '@nestjs/common';
import { AddReviewer, Reviewer } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, type ListAnswer, PathId, RequestBody, Route } from '@plat/service';
import { ReviewerService } from './reviewer.service';

@Controller()
export class ReviewerController {
  constructor(private readonly reviewers: ReviewerService) {}

  @Route('listReviewers', { response: Reviewer, list: true })
  list(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
  ): Promise<ListAnswer<Reviewer>> {
    return this.reviewers.list(caller, reviewId);
  }

  @Route('addReviewer', { response: Reviewer })
  add(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestBody() { userId }: AddReviewer,
  ): Promise<Reviewer> {
    return this.reviewers.add(caller, { reviewId, userId });
  }

  @Route('removeReviewer', {})
  remove(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @PathId('user_id') userId: string,
  ): Promise<void> {
    return this.reviewers.remove(caller, { reviewId, userId });
  }
}
