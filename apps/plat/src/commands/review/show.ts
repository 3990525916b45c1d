import { getReview } from '@plat/api-client';
import { reviewDetails } from '../../reviews/review-views';
import { reviewIdArgument } from '../../reviews/review-id';
import { PlatformCommand } from '../../session/platform-command';

export class ReviewShow extends PlatformCommand {
  static override summary = 'Show one review';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11 --json',
  ];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewShow);
    const { api } = await this.platform(flags);
    this.show(
      await this.progress('Reading the review', getReview(api, { reviewId: args.review_id })),
      reviewDetails,
    );
  }
}
