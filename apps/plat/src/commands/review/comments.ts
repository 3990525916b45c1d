import { listComments } from '@plat/api-client';
import { commentTable } from '../../reviews/comment-views';
import { reviewIdArgument } from '../../reviews/review-id';
import { PlatformCommand } from '../../session/platform-command';

export class ReviewComments extends PlatformCommand {
  static override summary = 'List the comment threads of a review';
  static override examples = ['<%= config.bin %> <%= command.id %> <review_id> --json'];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewComments);
    const { api } = await this.platform(flags);
    const comments = listComments(api, { reviewId: args.review_id });
    this.show(await this.progress('Listing the comments', comments), commentTable);
  }
}
