import { Injectable } from '@nestjs/common';
import type { Build, BuildPage, BuildQuery, CreateBuild, CreateReviewBuild } from '@plat/contracts/builds';
import { cutPage, isBlank, newId, notFound, readPage } from '@plat/contracts/core';
import { Database } from '@plat/database';
import { answerList, type Caller, type ListAnswer, WIDE_PAGE_ROWS } from '@plat/service';
import {
  findReviewBuild,
  listBuilds,
  pageReviewBuilds,
  reportEnvironmentBuild,
  reportReviewBuild,
} from './build.queries';
import { toBuild } from './build.response';
import { readBuildReport } from './build-report';

@Injectable()
export class BuildService {
  constructor(private readonly database: Database) {}

  /**
   * Records a build of an environment, which moves no review. Spec: API, Builds, rules 2 and 3.
   *
   * @throws NOT_FOUND for an environment that is not the caller's own
   */
  async report(caller: Caller, { failureDetail, ...body }: CreateBuild): Promise<Build> {
    const detail = failureDetail === undefined || isBlank(failureDetail) ? undefined : failureDetail;
    const [row] = await reportEnvironmentBuild(this.database, caller, {
      ...body,
      buildId: newId(),
      failureDetail: detail,
    });
    return toBuild(row!);
  }

  /** A page of the build history, with and without reviews, newest first. */
  async list(
    caller: Caller,
    { successful, since, until, cursor, limit, ...filters }: BuildQuery,
  ): Promise<BuildPage> {
    const { size, window } = readPage({ since, until, cursor, limit });
    const found = await listBuilds(this.database, caller, {
      ...filters,
      successful: successful === undefined ? undefined : successful === 'true',
      ...window,
    });
    const { rows, nextCursor } = cutPage(found, size, (row) => ({
      createdAt: row.created_at,
      id: row.build_id,
    }));
    return { builds: rows.map(toBuild), nextCursor };
  }

  /** @throws INVALID_BODY, INVALID_VERSION, NOT_FOUND */
  async reportOfReview(caller: Caller, reviewId: string, body: CreateReviewBuild): Promise<Build> {
    const [row] = await reportReviewBuild(this.database, caller, { ...readBuildReport(body), reviewId });
    if (!row) throw notFound('review');
    return toBuild(row);
  }

  /** @throws NOT_FOUND */
  listOfReview(caller: Caller, reviewId: string): Promise<ListAnswer<Build>> {
    return answerList({
      rowsMax: WIDE_PAGE_ROWS,
      page: (after, rows) => pageReviewBuilds(this.database, caller, { reviewId, after, rows }),
      toItem: toBuild,
    });
  }

  /** @throws NOT_FOUND, also for a build of another review */
  async getOfReview(caller: Caller, ids: { reviewId: string; buildId: string }): Promise<Build> {
    const [row] = await findReviewBuild(this.database, caller, ids);
    if (!row) throw notFound('build');
    return toBuild(row);
  }
}
