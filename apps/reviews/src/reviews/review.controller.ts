import { Controller } from '@nestjs/common';
import {
  CreateReview,
  Review,
  ReviewFilters,
  ReviewHistory,
  ReviewHistoryQuery,
} from '@plat/contracts/reviews';
import {
  type Caller,
  CurrentCaller,
  type ListAnswer,
  PathId,
  RequestBody,
  RequestQuery,
  Route,
} from '@plat/service';
import { ReviewService } from './review.service';

@Controller()
export class ReviewController {
  constructor(private readonly reviews: ReviewService) {}

  @Route('listReviews', { response: Review, list: true })
  list(@CurrentCaller() caller: Caller, @RequestQuery() filters: ReviewFilters): Promise<ListAnswer<Review>> {
    return this.reviews.list(caller, filters);
  }

  @Route('createReview', { response: Review })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateReview): Promise<Review> {
    return this.reviews.create(caller, body);
  }

  @Route('getReview', { response: Review })
  get(@CurrentCaller() caller: Caller, @PathId('review_id') reviewId: string): Promise<Review> {
    return this.reviews.get(caller, reviewId);
  }

  @Route('getReviewHistory', { response: ReviewHistory })
  history(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestQuery() query: ReviewHistoryQuery,
  ): Promise<ReviewHistory> {
    return this.reviews.history(caller, reviewId, query);
  }
}
