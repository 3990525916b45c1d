import { listReviewBuilds } from '@plat/api-client';
import { buildTable } from '../../build-reports/build-view';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';

export class ReviewBuilds extends PlatformCommand {
  static override summary = 'List the builds of a review, newest first, with the details of failed ones';
  static override examples = ['<%= config.bin %> <%= command.id %> <review_id> --json'];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewBuilds);
    const { api } = await this.platform(flags);
    const builds = listReviewBuilds(api, { reviewId: await reviewIdOf(api, args.review_id) });
    this.show(await this.progress('Listing the builds', builds), buildTable);
  }
}
