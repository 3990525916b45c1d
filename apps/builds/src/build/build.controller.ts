import { Controller } from '@nestjs/common';
import { Build, CreateReviewBuild } from '@plat/contracts/builds';
import { type Caller, CurrentCaller, PathId, RequestBody, Route } from '@plat/service';
import { BuildService } from './build.service';

@Controller()
export class BuildController {
  constructor(private readonly builds: BuildService) {}

  @Route('listReviewBuilds', { response: Build, list: true })
  list(@CurrentCaller() caller: Caller, @PathId('review_id') reviewId: string): Promise<Build[]> {
    return this.builds.list(caller, reviewId);
  }

  @Route('createReviewBuild', { response: Build })
  create(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestBody() body: CreateReviewBuild,
  ): Promise<Build> {
    return this.builds.report(caller, reviewId, body);
  }

  @Route('getReviewBuild', { response: Build })
  get(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @PathId('build_id') buildId: string,
  ): Promise<Build> {
    return this.builds.get(caller, { reviewId, buildId });
  }
}
