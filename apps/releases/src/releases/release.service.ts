import { Injectable } from '@nestjs/common';
import { newId, notFound } from '@plat/contracts/core';
import type { CreateRelease, Release, ReleaseFilters } from '@plat/contracts/releases';
import { Database } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { enqueueRelease, findRelease, pageReleases, pageReviewReleases } from './release.queries';
import { toRelease } from './release.response';

@Injectable()
export class ReleaseService {
  constructor(private readonly database: Database) {}

  /**
   * Idempotent per commit; `created` is false when the commit has a release already.
   *
   * @throws NOT_FOUND for a review that is not the caller's
   */
  async enqueue(caller: Caller, body: CreateRelease): Promise<{ release: Release; created: boolean }> {
    const [row] = await enqueueRelease(this.database, caller, { ...body, releaseId: newId() });
    return { release: toRelease(row!), created: row!.created };
  }

  /** @throws NOT_FOUND */
  async get(caller: Caller, releaseId: string): Promise<Release> {
    const [row] = await findRelease(this.database, caller, releaseId);
    if (!row) throw notFound('release');
    return toRelease(row);
  }

  list(caller: Caller, filters: ReleaseFilters): Promise<ListAnswer<Release>> {
    return answerList({
      page: (after, rows) => pageReleases(this.database, caller, { filters, after, rows }),
      toItem: toRelease,
    });
  }

  /** @throws NOT_FOUND */
  listOfReview(caller: Caller, reviewId: string): Promise<ListAnswer<Release>> {
    return answerList({
      page: (after, rows) => pageReviewReleases(this.database, caller, { reviewId, after, rows }),
      toItem: toRelease,
    });
  }
}
