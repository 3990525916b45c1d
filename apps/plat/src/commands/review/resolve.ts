import { updateCommentStatus } from '@plat/api-client';
import { commentLine } from '../../reviews/comment-views';
import { requireId, reviewIdArgument } from '../../reviews/review-id';
import { PlatformCommand } from '../../session/platform-command';
import { Args, Flags } from '../../terminal/oclif';

export class ReviewResolve extends PlatformCommand {
  static override summary = 'Close a comment thread, as its author';
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> <comment_id>',
    '<%= config.bin %> <%= command.id %> <review_id> <comment_id> --reopen',
  ];
  static override args = {
    review_id: reviewIdArgument,
    comment_id: Args.string({
      description: 'Id of the comment that began the thread',
      required: true,
      ignoreStdin: true,
      parse: async (text) => requireId(text, 'The comment', 'plat review comments <review_id>'),
    }),
  };
  static override flags = {
    reopen: Flags.boolean({ description: 'Open the thread again' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewResolve);
    const platform = await this.platform(flags);
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('updateCommentStatus', args)]);
    const comment = updateCommentStatus(platform.api, {
      reviewId: args.review_id,
      commentId: args.comment_id,
      body: { status: flags.reopen ? 'OPEN' : 'CLOSED' },
    });
    this.show(await this.progress('Updating the thread', comment), commentLine);
  }
}
