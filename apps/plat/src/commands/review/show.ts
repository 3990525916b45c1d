import { getReview } from '@plat/api-client';
import { PlatformCommand } from '../../platform/platform-command';
import { withFailure } from '../../reviews/review-failure';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { withLanding } from '../../reviews/review-landing';
import { reviewDetails } from '../../reviews/review-views';
import { wayOn } from '../../reviews/way-on';
import { userNames } from '../../users/user-names';

export class ReviewShow extends PlatformCommand {
  static override summary =
    'Show one review, why it failed, and whether the landed content is the reviewed one';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11 --json',
    '<%= config.bin %> <%= command.id %> 0c9a2e11',
  ];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewShow);
    const { api, alias } = await this.platform(flags);
    const reading = reviewIdOf(api, args.review_id)
      .then((reviewId) => getReview(api, { reviewId }))
      .then((review) => withFailure(api, review))
      .then((review) => withLanding(api, review));
    const review = await this.progress('Reading the review', reading);
    const names = await userNames(this.environment.configFolder, alias);
    this.show(review, (shown) => reviewDetails(shown, names));
    if (review.status === 'FAILED') this.terminal.note(`next: ${wayOn(review)}`);
  }
}
