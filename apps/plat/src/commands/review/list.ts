import { REVIEW_STATUSES } from '@plat/contracts/core';
import { PlatformCommand } from '../../platform/platform-command';
import { selectReviews } from '../../reviews/review-selection';
import { reviewTable } from '../../reviews/review-views';
import { countFlag } from '../../terminal/count-flag';
import { Flags } from '../../terminal/oclif';
import { userNames } from '../../users/user-names';

export class ReviewList extends PlatformCommand {
  static override summary = 'List reviews, newest first';
  static override description =
    'Lists the reviews that match every given filter. Without --repository or --here it lists every repository.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --here --status ready',
    '<%= config.bin %> <%= command.id %> --mine --limit 10',
    '<%= config.bin %> <%= command.id %> --author bob --target-branch main --json',
    '<%= config.bin %> <%= command.id %> --repository https://git.example.com/acme/app',
  ];
  static override flags = {
    repository: Flags.string({ description: 'Remote of the repository', helpValue: '<remote>' }),
    here: Flags.boolean({ description: "The checkout's repository", exclusive: ['repository'] }),
    'target-branch': Flags.string({ description: 'Target branch', helpValue: '<branch>' }),
    'source-branch': Flags.string({ description: 'Source branch', helpValue: '<branch>' }),
    status: Flags.option({ options: REVIEW_STATUSES, description: 'Status' })(),
    author: Flags.string({ description: 'Creator of the review: id or name', helpValue: '<user>' }),
    mine: Flags.boolean({ description: 'Created by you', exclusive: ['author'] }),
    reviewer: Flags.string({
      description: 'User who is assigned to review it: id or name',
      helpValue: '<user>',
    }),
    limit: countFlag({ description: 'Most reviews to list, the newest' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReviewList);
    const platform = await this.platform(flags);
    const { configFolder } = this.environment;
    const selecting = selectReviews(configFolder, platform, flags);
    const { reviews, matched } = await this.progress('Listing reviews', selecting);
    const names = await userNames(configFolder, platform.alias);
    this.show(reviews, (rows) => reviewTable(rows, names));
    if (matched > reviews.length) {
      this.terminal.note(`${matched} match; this is the newest of them, by --limit ${reviews.length}.`);
    }
  }
}
