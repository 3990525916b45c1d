import { removeReviewer } from '@plat/api-client';
import { reviewerArgument } from '../../../conversation/reviewer-argument';
import { PlatformCommand } from '../../../platform/platform-command';
import { requireTenantUser } from '../../../platform/user-directory';
import { reviewIdArgument, reviewIdOf, withoutReview } from '../../../reviews/review-id';
import { Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';

export class ReviewersRemove extends PlatformCommand {
  static override summary = 'Remove an assignment';
  static override description =
    "Refuses a user who is not in this machine's copy of the directory, without a call.";
  static override examples = ['<%= config.bin %> <%= command.id %> alice'];
  static override args = { review_id: reviewIdArgument, user: reviewerArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Check the user, make no call' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewersRemove);
    const { review, other: user } = withoutReview({ review: args.review_id, other: args.user }, 'user');
    const platform = await this.platform(flags);
    const { userId, username } = await requireTenantUser(this.environment.configFolder, platform.alias, user);
    const reviewId = await reviewIdOf(platform.api, review);
    if (flags['dry-run']) {
      return this.showPlan([
        platform.plannedCall('removeReviewer', { review_id: reviewId, user_id: userId }),
      ]);
    }
    await this.progress('Removing', removeReviewer(platform.api, { reviewId, userId }));
    this.show({ reviewId, userId, removed: true }, () =>
      printableLine(`${username} is no longer assigned to review ${reviewId}.`),
    );
  }
}
