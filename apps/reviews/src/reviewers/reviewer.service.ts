import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { Reviewer } from '@plat/contracts/reviews';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { deleteReviewer, insertReviewer, pageReviewers, type ReviewerRow } from './reviewer.queries';

/** The users who are asked to review. They gate no transition. Spec: API, Reviewer. */
@Injectable()
export class ReviewerService {
  constructor(private readonly database: Database) {}

  /** @throws NOT_FOUND */
  list(caller: Caller, reviewId: string): Promise<ListAnswer<Reviewer>> {
    return answerList({
      page: (after, rows) => pageReviewers(this.database, caller, { reviewId, after, rows }),
      toItem: toReviewer,
    });
  }

  /** @throws NOT_FOUND for a review or user that is not the caller's tenant's, CONFLICT */
  async add(caller: Caller, assignment: { reviewId: string; userId: string }): Promise<Reviewer> {
    try {
      const [row] = await insertReviewer(this.database, caller, assignment);
      return toReviewer(row!);
    } catch (error) {
      if (violates(error, 'reviewers_tenant_id_review_id_fkey')) throw notFound('review');
      if (violates(error, 'reviewers_tenant_id_user_id_fkey')) throw notFound('user');
      if (violates(error, 'reviewers_pkey')) {
        throw new ApiError('CONFLICT', { message: 'The user is assigned to the review already.' });
      }
      throw error;
    }
  }

  /** @throws NOT_FOUND */
  async remove(caller: Caller, assignment: { reviewId: string; userId: string }): Promise<void> {
    const removed = await deleteReviewer(this.database, caller, assignment);
    if (!removed) throw notFound('reviewer');
  }
}

function toReviewer(row: ReviewerRow): Reviewer {
  return {
    tenantId: row.tenant_id,
    reviewId: row.review_id,
    userId: row.user_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
