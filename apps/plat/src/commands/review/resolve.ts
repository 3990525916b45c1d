import { commentIdOf, commentIdOrPiece } from '../../conversation/comment-id';
import { commentLine } from '../../conversation/comment-views';
import { changeThread } from '../../conversation/thread-status';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf, withoutReview } from '../../reviews/review-id';
import { Args, Flags } from '../../terminal/oclif';
import { userNames } from '../../users/user-names';

export class ReviewResolve extends PlatformCommand {
  static override summary = 'Close a comment thread, as its author';
  static override examples = [
    '<%= config.bin %> <%= command.id %> <comment_id>',
    '<%= config.bin %> <%= command.id %> <review_id> <comment_id>',
    '<%= config.bin %> <%= command.id %> <review_id> <comment_id> --reopen',
  ];
  static override args = {
    review_id: reviewIdArgument,
    comment_id: Args.string({
      description: 'Id of the comment that began the thread, or a part of it',
      ignoreStdin: true,
      parse: async (text) => commentIdOrPiece(text),
    }),
  };
  static override flags = {
    reopen: Flags.boolean({ description: 'Open the thread again' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewResolve);
    const { review, other } = withoutReview({ review: args.review_id, other: args.comment_id }, 'comment');
    const thread = commentIdOrPiece(other);
    const platform = await this.platform(flags);
    const reviewId = await reviewIdOf(platform.api, review);
    const commentId = await commentIdOf(platform.api, reviewId, thread);
    if (flags['dry-run']) {
      return this.showPlan([
        platform.plannedCall('updateCommentStatus', { review_id: reviewId, comment_id: commentId }),
      ]);
    }
    const names = await userNames(this.environment.configFolder, platform.alias);
    const status = flags.reopen ? 'OPEN' : 'CLOSED';
    const comment = changeThread(platform.api, { reviewId, commentId, status, names });
    this.show(await this.progress('Updating the thread', comment), commentLine);
  }
}
