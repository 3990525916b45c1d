import { PlatformCommand } from '../../platform/platform-command';
import { closeReview } from '../../reviews/close-review';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { reviewLine } from '../../reviews/review-views';
import { Flags } from '../../terminal/oclif';

export class ReviewClose extends PlatformCommand {
  static override summary = 'Close a review that is not to be merged';
  static override examples = ['<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11'];
  static override args = { review_id: reviewIdArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Print the call, make none' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewClose);
    const platform = await this.platform(flags);
    const reviewId = await reviewIdOf(platform.api, args.review_id);
    if (flags['dry-run']) {
      return this.showPlan([platform.plannedCall('updateReviewStatus', { review_id: reviewId })]);
    }
    this.show(await this.progress('Closing the review', closeReview(platform.api, reviewId)), reviewLine);
  }
}
