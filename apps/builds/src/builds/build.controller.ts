import { Controller } from '@nestjs/common';
import { Build, BuildPage, BuildQuery, CreateBuild, CreateReviewBuild } from '@plat/contracts/builds';
import {
  type Caller,
  CurrentCaller,
  type ListAnswer,
  PathId,
  RequestBody,
  RequestQuery,
  Route,
} from '@plat/service';
import { BuildService } from './build.service';

@Controller()
export class BuildController {
  constructor(private readonly builds: BuildService) {}

  @Route('listBuilds', { response: BuildPage })
  list(@CurrentCaller() caller: Caller, @RequestQuery() query: BuildQuery): Promise<BuildPage> {
    return this.builds.list(caller, query);
  }

  @Route('createBuild', { response: Build })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateBuild): Promise<Build> {
    return this.builds.report(caller, body);
  }

  @Route('listReviewBuilds', { response: Build, list: true })
  listOfReview(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
  ): Promise<ListAnswer<Build>> {
    return this.builds.listOfReview(caller, reviewId);
  }

  @Route('createReviewBuild', { response: Build })
  createOfReview(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestBody() body: CreateReviewBuild,
  ): Promise<Build> {
    return this.builds.reportOfReview(caller, reviewId, body);
  }

  @Route('getReviewBuild', { response: Build })
  getOfReview(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @PathId('build_id') buildId: string,
  ): Promise<Build> {
    return this.builds.getOfReview(caller, { reviewId, buildId });
  }
}
