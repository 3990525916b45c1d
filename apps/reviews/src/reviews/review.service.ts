import { Injectable } from '@nestjs/common';
import { ApiError, newId, notFound, pageSize } from '@plat/contracts/core';
import type {
  CreateReview,
  Review,
  ReviewFilters,
  ReviewHistory,
  ReviewHistoryQuery,
} from '@plat/contracts/reviews';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { namedRepository } from './named-repository';
import {
  findReview,
  insertReview,
  pageHistory,
  pageReviews,
  readContentVerdicts,
  type ReviewRow,
} from './review.queries';
import { type JudgedRow, toEvent, toJudgedReview, toReview } from './review.response';

@Injectable()
export class ReviewService {
  constructor(private readonly database: Database) {}

  /** @throws INVALID_REPOSITORY, CONFLICT */
  async create(caller: Caller, { repository, ...body }: CreateReview): Promise<Review> {
    const identity = namedRepository(repository);
    const review = { ...body, reviewId: newId(), repository: identity };
    try {
      const [row] = await insertReview(this.database, caller, review);
      return toReview(row!);
    } catch (error) {
      throw uniquenessConflict(error) ?? error;
    }
  }

  /** @throws NOT_FOUND */
  async get(caller: Caller, reviewId: string): Promise<Review> {
    const [row] = await findReview(this.database, caller, reviewId);
    if (!row) throw notFound('review');
    const [judged] = await this.withVerdicts(caller, [row]);
    return toJudgedReview(judged!);
  }

  /** A page of the review's moves, newest first. @throws NOT_FOUND */
  async history(
    caller: Caller,
    reviewId: string,
    { cursor, limit }: ReviewHistoryQuery,
  ): Promise<ReviewHistory> {
    const size = pageSize(limit === undefined ? undefined : Number(limit));
    const found = await pageHistory(this.database, caller, { reviewId, before: cursor, rows: size + 1 });
    const rows = found.slice(0, size);
    const nextCursor = found.length > size ? String(rows.at(-1)!.queue_version) : undefined;
    return { events: rows.map(toEvent), nextCursor };
  }

  /** Any number of reviews, newest first. @throws INVALID_REPOSITORY */
  async list(caller: Caller, { repository, ...filters }: ReviewFilters): Promise<ListAnswer<Review>> {
    const identity = namedRepository(repository);
    const canonical = { ...filters, repository: identity };
    return answerList({
      page: async (after: JudgedRow | undefined, rows) => {
        const page = { filters: canonical, after: after?.row, rows };
        return this.withVerdicts(caller, await pageReviews(this.database, caller, page));
      },
      toItem: toJudgedReview,
    });
  }

  /** The rows, each with the verdict on its content if it is MERGED. */
  private async withVerdicts(caller: Caller, rows: readonly ReviewRow[]): Promise<JudgedRow[]> {
    const merged = rows.filter(({ status }) => status === 'MERGED').map(({ review_id }) => review_id);
    const verdicts = await readContentVerdicts(this.database, caller, merged);
    return rows.map((row) => ({ row, verdict: verdicts.get(row.review_id) }));
  }
}

/** Maps the database's violation of a uniqueness rule to its error. Spec: API, Review, Uniqueness rules. */
export function uniquenessConflict(error: unknown): ApiError | undefined {
  if (violates(error, 'reviews_live_name')) {
    return new ApiError('CONFLICT', { message: 'Another review of this repository has that name.' });
  }
  if (violates(error, 'reviews_live_pair')) {
    return new ApiError('CONFLICT', {
      message: 'Another live review proposes that branch onto that target.',
    });
  }
  return undefined;
}
