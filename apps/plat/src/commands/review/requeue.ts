import { PlatformCommand } from '../../platform/platform-command';
import { requeue, requireMerging } from '../../queue/requeue';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { reviewLine } from '../../reviews/review-views';
import { Flags } from '../../terminal/oclif';

export class ReviewRequeue extends PlatformCommand {
  static override summary = 'Put the review that holds the merge slot back to the tail of its queue';
  static override description =
    'Frees a queue whose gate was given up. Refuses a review that is not at MERGE before it writes anything.';
  static override examples = ['<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11'];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Check the review, print the call, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewRequeue);
    const platform = await this.platform(flags);
    const reviewId = await reviewIdOf(platform.api, args.review_id);
    if (flags['dry-run']) {
      await requireMerging(platform.api, reviewId);
      return this.showPlan([platform.plannedCall('updateReviewStatus', { review_id: reviewId })]);
    }
    this.show(await this.progress('Requeueing', requeue(platform.api, reviewId)), reviewLine);
  }
}
