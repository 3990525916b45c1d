import { listReviews } from '@plat/api-client';
import { REVIEW_STATUSES } from '@plat/contracts/core';
import { namedRepository } from '../../gate/repository-choice';
import { reviewTable } from '../../reviews/review-views';
import { PlatformCommand } from '../../session/platform-command';
import { Flags } from '../../terminal/oclif';

export class ReviewList extends PlatformCommand {
  static override summary = 'List reviews, newest first';
  static override description =
    'Every filter that is given must hold. Without --repository, reviews of every repository are listed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status READY',
    '<%= config.bin %> <%= command.id %> --target-branch main --json',
    '<%= config.bin %> <%= command.id %> --repository https://git.example.com/acme/app',
  ];
  static override flags = {
    repository: Flags.string({ description: 'Remote of the repository', helpValue: '<remote>' }),
    'target-branch': Flags.string({ description: 'Target branch', helpValue: '<branch>' }),
    'source-branch': Flags.string({ description: 'Source branch', helpValue: '<branch>' }),
    status: Flags.option({ options: REVIEW_STATUSES, description: 'Status' })(),
    author: Flags.string({ description: 'Who created the review', helpValue: '<user_id>' }),
    reviewer: Flags.string({ description: 'Who is assigned to review it', helpValue: '<user_id>' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReviewList);
    const { api } = await this.platform(flags);
    const query = {
      repository: flags.repository === undefined ? undefined : namedRepository(flags.repository),
      targetBranch: flags['target-branch'],
      sourceBranch: flags['source-branch'],
      status: flags.status,
      authorUserId: flags.author,
      reviewerUserId: flags.reviewer,
    };
    this.show(await this.progress('Listing reviews', listReviews(api, { query })), reviewTable);
  }
}
