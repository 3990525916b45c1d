import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { notFound, type ReviewStatus } from '@plat/contracts/core';
import type { Review, UpdateReviewStatus } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import { patchTrigger, reviewEffect } from '@plat/lifecycle';
import type { Caller } from '@plat/service';
import { MergeReportService } from '../merge-reports/merge-report.service';
import type { ReviewRow } from '../reviews/review.queries';
import { toReview } from '../reviews/review.response';
import { refusalOfMove } from '../reviews/status-refusal';
import { beginMove, closeReview, failByBuild, readyByBuild, requeue } from './review-status.queries';

/** PATCH status: determines which move is meant and whether the review may make it. Rule B7 orders the checks. */
@Injectable()
export class ReviewStatusService {
  constructor(
    private readonly database: Database,
    private readonly mergeReports: MergeReportService,
  ) {}

  /** @throws NOT_FOUND, INVALID_TRANSITION, REVIEW_NOT_MERGING, INVALID_BODY, MERGE_NOT_VERIFIED, CONFLICT */
  async update(caller: Caller, reviewId: string, patch: UpdateReviewStatus): Promise<Review> {
    if (patch.status === 'MERGED') return toReview(await this.mergeReports.report(caller, reviewId, patch));
    const row = await this.database.transaction(caller, (tx) =>
      this.move(tx, caller, { reviewId, ...patch }),
    );
    return toReview(row);
  }

  private async move(
    tx: EntityManager,
    caller: Caller,
    { reviewId, status, buildId }: UpdateReviewStatus & { reviewId: string },
  ): Promise<ReviewRow> {
    const [review] = await beginMove(tx, caller, reviewId);
    if (!review) throw notFound('review');
    const effect = reviewEffect(review.status, patchTrigger(status, buildId !== undefined));
    if (effect.kind === 'refuse') throw refusalOfMove(review, status, effect);
    if (effect.kind === 'unchanged') return review;
    const [moved] = await this.apply(tx, caller, { reviewId, to: effect.to, buildId });
    return moved!;
  }

  private apply(
    tx: EntityManager,
    caller: Caller,
    { reviewId, to, buildId }: { reviewId: string; to: ReviewStatus; buildId: string | undefined },
  ): Promise<ReviewRow[]> {
    if (to === 'CLOSED') return closeReview(tx, caller, reviewId);
    if (to === 'READY' && buildId === undefined) return requeue(tx, caller, reviewId);
    // A build of another review, or with the other outcome, is answered 404, for either kind. Rule B8.
    if (to === 'READY' && buildId !== undefined) return readyByBuild(tx, caller, { reviewId, buildId });
    if (to === 'FAILED' && buildId !== undefined) return failByBuild(tx, caller, { reviewId, buildId });
    throw new Error(`PATCH cannot move a review to ${to}`);
  }
}
