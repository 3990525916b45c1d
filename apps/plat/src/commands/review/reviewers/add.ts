import { addReviewer } from '@plat/api-client';
import { reviewerArgument } from '../../../conversation/reviewer-argument';
import { PlatformCommand } from '../../../platform/platform-command';
import { requireTenantUser } from '../../../platform/user-directory';
import { reviewIdArgument, reviewIdOf, withoutReview } from '../../../reviews/review-id';
import { Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';

export class ReviewersAdd extends PlatformCommand {
  static override summary = 'Assign a user of your tenant to review';
  static override description =
    "Refuses a user who is not in this machine's copy of the directory, without a call.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice',
    '<%= config.bin %> <%= command.id %> <review_id> alice',
    '<%= config.bin %> <%= command.id %> <review_id> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11 --json',
  ];
  static override args = { review_id: reviewIdArgument, user: reviewerArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Check the user, make no call' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewersAdd);
    const { review, other: user } = withoutReview({ review: args.review_id, other: args.user }, 'user');
    const platform = await this.platform(flags);
    const { userId, username } = await requireTenantUser(this.environment.configFolder, platform.alias, user);
    const reviewId = await reviewIdOf(platform.api, review);
    if (flags['dry-run']) {
      return this.showPlan([platform.plannedCall('addReviewer', { review_id: reviewId })]);
    }
    const added = addReviewer(platform.api, { reviewId, body: { userId } });
    this.show(await this.progress('Assigning', added), () =>
      printableLine(`${username} is assigned to review ${reviewId}.`),
    );
  }
}
