import { createComment } from '@plat/api-client';
import { openCheckout, requireHeadCommit } from '../../checkout/checkout';
import { commentBody, requireWritable } from '../../conversation/comment-draft';
import { commentIdOf, commentIdOrPiece } from '../../conversation/comment-id';
import { commentLine } from '../../conversation/comment-views';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { countFlag } from '../../terminal/count-flag';
import { Flags } from '../../terminal/oclif';

export class ReviewComment extends PlatformCommand {
  static override summary = 'Open a comment thread on a line of a review, or reply to one';
  static override description =
    "A review with an open thread is not promoted. A reply has its thread's file and line.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> --file src/clock.ts --line 12 --body "why UTC here?"',
    '<%= config.bin %> <%= command.id %> <review_id> --reply-to <comment_id> --body "agreed"',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    body: Flags.string({ description: 'Text of the comment', required: true, helpValue: '<text>' }),
    file: Flags.string({ description: 'Path in the repository', helpValue: '<path>' }),
    line: countFlag({ description: 'Line of the file, from 1' }),
    'commit-id': Flags.string({
      description: 'Commit of the comment (default: the one checked out)',
      helpValue: '<commit>',
    }),
    'reply-to': Flags.string({
      description: 'Thread to reply to',
      exclusive: ['file', 'line', 'commit-id'],
      helpValue: '<comment_id>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewComment);
    const platform = await this.platform(flags);
    const { body, line, file: filePath, 'commit-id': commitId, 'reply-to': replyTo } = flags;
    if (replyTo !== undefined) commentIdOrPiece(replyTo);
    requireWritable({ body, replyTo, commitId, filePath, line });
    const reviewId = await reviewIdOf(platform.api, args.review_id);
    const thread = replyTo === undefined ? undefined : await commentIdOf(platform.api, reviewId, replyTo);
    const input = { reviewId, body, replyTo: thread, commitId, filePath, line };
    if (flags['dry-run']) {
      return this.showPlan([platform.plannedCall('createComment', { review_id: reviewId })]);
    }
    const head = async () => commitId ?? requireHeadCommit(await openCheckout(process.cwd()));
    const comment = createComment(platform.api, {
      reviewId,
      body: await commentBody(platform.api, input, head),
    });
    this.show(await this.progress('Commenting', comment), commentLine);
  }
}
