import { PlatformCommand } from '../../platform/platform-command';
import { isDivergent } from '../../reviews/landed-content';
import { reviewIdArgument } from '../../reviews/review-id';
import { reviewLine } from '../../reviews/review-views';
import { readStatuses, requireReached, waitForStatus } from '../../reviews/wait-for-status';
import { milliseconds } from '../../terminal/duration';
import { ExitCode } from '../../terminal/exit-codes';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReviewWait extends PlatformCommand {
  static override summary = 'Wait until a review has a status';
  static override description =
    prose(`Exit code 0: the review has the status. 1: it came to another end, which is named: FAILED with the build's
failure detail, CLOSED, or MERGED if another status was awaited. 4: it is MERGED as awaited, and its landed content is
DIVERGENT, which is not what was reviewed; with --any-content that is 0 as well. 124: the time is over. Content that is
BY_HAND ends with 0, and a line says where to look at what a person decided. The command goes on waiting for
a FAILED review if --until names READY. Without a review it is the live one of the branch that is checked out.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> && ./deploy.sh',
    '<%= config.bin %> <%= command.id %> <review_id> --until merge,failed --timeout 30m --json',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    until: Flags.string({
      description: 'Statuses, with commas between them',
      aliases: ['for'],
      default: 'MERGED',
      helpValue: '<statuses>',
    }),
    'any-content': Flags.boolean({
      description: 'End with 0 for MERGED even if the landed content is DIVERGENT',
    }),
    timeout: Flags.string({
      description: 'Longest time to wait, such as 90s or 1h30m',
      default: '1h',
      helpValue: '<duration>',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewWait);
    const { api } = await this.platform(flags);
    const until = readStatuses(flags.until);
    const timeoutMilliseconds = milliseconds(flags.timeout, '--timeout');
    const ended = await this.host.interruptible((interrupted) => {
      const waiting = { review: args.review_id, until, timeoutMilliseconds, interrupted };
      return this.progress(`Waiting for ${until.join(' or ')}`, waitForStatus(api, waiting));
    });
    requireReached(ended, until);
    this.show(ended, reviewLine);
    if (isDivergent(ended) && !flags['any-content']) this.host.fail(ExitCode.divergent);
  }
}
