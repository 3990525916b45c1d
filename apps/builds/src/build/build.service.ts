import { Injectable } from '@nestjs/common';
import type { Build, CreateReviewBuild } from '@plat/contracts/builds';
import { notFound } from '@plat/contracts/core';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { readBuildReport } from './build-report';
import { findReviewBuild, listReviewBuilds, reportReviewBuild } from './build.queries';
import { toBuild } from './build.response';

@Injectable()
export class BuildService {
  constructor(private readonly database: Database) {}

  /** @throws INVALID_BODY, INVALID_VERSION, NOT_FOUND */
  async report(caller: Caller, reviewId: string, body: CreateReviewBuild): Promise<Build> {
    const [row] = await reportReviewBuild(this.database, caller, { ...readBuildReport(body), reviewId });
    if (!row) throw notFound('review');
    return toBuild(row);
  }

  /** @throws NOT_FOUND */
  async list(caller: Caller, reviewId: string): Promise<Build[]> {
    const rows = await listReviewBuilds(this.database, caller, reviewId);
    return rows.map(toBuild);
  }

  /** @throws NOT_FOUND, also for a build of another review */
  async get(caller: Caller, ids: { reviewId: string; buildId: string }): Promise<Build> {
    const [row] = await findReviewBuild(this.database, caller, ids);
    if (!row) throw notFound('build');
    return toBuild(row);
  }
}
