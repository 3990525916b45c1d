import { Injectable } from '@nestjs/common';
import { notFound, type ReviewStatus } from '@plat/contracts/core';
import type { Review, UpdateReviewStatus } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import { patchTrigger, reviewEffect } from '@plat/lifecycle';
import type { Caller } from '@plat/service';
import type { EntityManager } from 'typeorm';
import { MergeReportService } from './merge-report.service';
import { close, fail, findBuildFacts, lockReview, makeReady } from './review-status.queries';
import type { ReviewRow } from './review.queries';
import { toReview } from './review.response';
import { refusalOfMove } from './status-refusal';

/** PATCH status: which move is meant, and whether the review may make it. Decision B7 orders the checks. */
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
    const [review] = await lockReview(tx, caller, reviewId);
    if (!review) throw notFound('review');
    const effect = reviewEffect(review.status, patchTrigger(status, buildId !== undefined));
    if (effect.kind === 'refuse') throw refusalOfMove(review, status, effect);
    if (effect.kind === 'unchanged') return review;
    if (buildId !== undefined && effect.records)
      await this.expectBuild(tx, caller, { reviewId, buildId, status });
    const [moved] = await this.apply(tx, caller, { reviewId, to: effect.to, buildId });
    return moved!;
  }

  private apply(
    tx: EntityManager,
    caller: Caller,
    { reviewId, to, buildId }: { reviewId: string; to: ReviewStatus; buildId: string | undefined },
  ): Promise<ReviewRow[]> {
    if (to === 'READY') return makeReady(tx, caller, { reviewId, ...(buildId !== undefined && { buildId }) });
    if (to === 'CLOSED') return close(tx, caller, { reviewId });
    if (to === 'FAILED' && buildId !== undefined) return fail(tx, caller, { reviewId, buildId });
    throw new Error(`PATCH cannot move a review to ${to}`);
  }

  /**
   * A build of another review, or with the other verdict, is a plain 404 (Decision B8). So is a GATE build that
   * succeeded: READY rests on a RECORDED one, and no report of the gate ever brings a review there (Decision B4).
   */
  private async expectBuild(
    tx: EntityManager,
    caller: Caller,
    { reviewId, buildId, status }: { reviewId: string; buildId: string; status: ReviewStatus },
  ): Promise<void> {
    const [build] = await findBuildFacts(tx, caller, buildId);
    const proves =
      status === 'READY' ? build?.successful && build.kind === 'RECORDED' : build?.successful === false;
    if (build?.review_id !== reviewId || !proves) throw notFound('build');
  }
}
