import { reviewIdArgument } from '../../reviews/review-id';
import { reviewLine } from '../../reviews/review-views';
import { readStatuses, waitForStatus } from '../../reviews/wait-for-status';
import { PlatformCommand } from '../../session/platform-command';
import { milliseconds } from '../../terminal/duration';
import { Flags } from '../../terminal/oclif';

export class ReviewWait extends PlatformCommand {
  static override summary = 'Wait until a review has come to a status';
  static override description =
    'Exit code 0: it is there. 1: the time is up, or the review came to an end elsewhere.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id>',
    '<%= config.bin %> <%= command.id %> <review_id> --until MERGE,FAILED --timeout 30m --json',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    until: Flags.string({
      description: 'Statuses, with commas between them',
      default: 'MERGED,FAILED',
      helpValue: '<statuses>',
    }),
    timeout: Flags.string({
      description: 'How long to wait, such as 90s or 1h30m',
      default: '1h',
      helpValue: '<duration>',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewWait);
    const { api } = await this.platform(flags);
    const until = readStatuses(flags.until);
    const timeoutMilliseconds = milliseconds(flags.timeout, '--timeout');
    const review = await this.host.interruptible((interrupted) => {
      const waiting = { reviewId: args.review_id, until, timeoutMilliseconds, interrupted };
      return this.progress(`Waiting for ${until.join(' or ')}`, waitForStatus(api, waiting));
    });
    this.show(review, reviewLine);
  }
}
