import { listComments } from '@plat/api-client';
import { commentTable } from '../../conversation/comment-views';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { userNames } from '../../users/user-names';

export class ReviewComments extends PlatformCommand {
  static override summary = 'List the comment threads of a review';
  static override examples = ['<%= config.bin %> <%= command.id %> <review_id> --json'];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewComments);
    const { api, alias } = await this.platform(flags);
    const comments = listComments(api, { reviewId: await reviewIdOf(api, args.review_id) });
    const listed = await this.progress('Listing the comments', comments);
    const names = await userNames(this.environment.configFolder, alias);
    this.show(listed, (rows) => commentTable(rows, names));
  }
}
