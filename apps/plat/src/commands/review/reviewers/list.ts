import { listReviewers } from '@plat/api-client';
import { reviewerTable } from '../../../conversation/reviewer-view';
import { PlatformCommand } from '../../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../../reviews/review-id';
import { userNames } from '../../../users/user-names';

export class ReviewersList extends PlatformCommand {
  static override summary = 'List the users who are assigned to review, oldest assignment first';
  static override examples = ['<%= config.bin %> <%= command.id %> <review_id> --json'];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewersList);
    const { alias, api } = await this.platform(flags);
    const reviewers = listReviewers(api, { reviewId: await reviewIdOf(api, args.review_id) });
    const listed = await this.progress('Listing the reviewers', reviewers);
    const names = await userNames(this.environment.configFolder, alias);
    this.show(listed, (rows) => reviewerTable(rows, names));
  }
}
