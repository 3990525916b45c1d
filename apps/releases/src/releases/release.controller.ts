import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CreateRelease, Release, ReleaseFilters } from '@plat/contracts/releases';
import {
  type Caller,
  CurrentCaller,
  type ListAnswer,
  PathId,
  RequestBody,
  RequestQuery,
  Route,
} from '@plat/service';
import { ReleaseService } from './release.service';

@Controller()
export class ReleaseController {
  constructor(private readonly releases: ReleaseService) {}

  /** 201 for a new release, 200 if the commit already has one. Spec: API, Releases. */
  @Route('createRelease', { response: Release })
  async create(
    @CurrentCaller() caller: Caller,
    @RequestBody() body: CreateRelease,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Release> {
    const { release, created } = await this.releases.enqueue(caller, body);
    if (!created) void reply.status(200);
    return release;
  }

  @Route('listReleases', { response: Release, list: true })
  list(
    @CurrentCaller() caller: Caller,
    @RequestQuery() filters: ReleaseFilters,
  ): Promise<ListAnswer<Release>> {
    return this.releases.list(caller, filters);
  }

  @Route('getRelease', { response: Release })
  get(@CurrentCaller() caller: Caller, @PathId('release_id') releaseId: string): Promise<Release> {
    return this.releases.get(caller, releaseId);
  }

  @Route('listReviewReleases', { response: Release, list: true })
  listOfReview(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
  ): Promise<ListAnswer<Release>> {
    return this.releases.listOfReview(caller, reviewId);
  }
}
