import { createReview } from '@plat/api-client';
import { isBlank } from '@plat/contracts/core';
import { requireBranchName } from '../../gate/branches';
import { openCheckout, requireCurrentBranch } from '../../gate/checkout';
import { chosenRepository } from '../../gate/repository-choice';
import { reviewLine } from '../../reviews/review-views';
import { PlatformCommand } from '../../session/platform-command';
import { Failure } from '../../terminal/failure';
import { Flags } from '../../terminal/oclif';

export class ReviewCreate extends PlatformCommand {
  static override summary = 'Propose a source branch onto a target branch';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name "Add rate limits" --source-branch feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --name "Fix the clock" --target-branch main --json',
  ];
  static override flags = {
    name: Flags.string({
      description: 'Name; becomes the squash-merge message',
      required: true,
      helpValue: '<text>',
    }),
    'target-branch': Flags.string({
      description: 'Branch to merge onto',
      required: true,
      helpValue: '<branch>',
    }),
    'source-branch': Flags.string({
      description: 'Branch to merge (default: the one checked out)',
      helpValue: '<branch>',
    }),
    repository: Flags.string({
      description: "Remote of the repository (default: the checkout's origin)",
      helpValue: '<remote>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReviewCreate);
    const platform = await this.platform(flags);
    if (isBlank(flags.name))
      throw new Failure('BLANK_NAME', '--name is blank.', { next: 'say what is to be merged' });
    const body = {
      name: flags.name,
      sourceBranch: flags['source-branch'] ?? (await requireCurrentBranch(await openCheckout(process.cwd()))),
      targetBranch: flags['target-branch'],
      repository: await chosenRepository(flags.repository),
    };
    requireBranchName(body.sourceBranch, '--source-branch');
    requireBranchName(body.targetBranch, '--target-branch');
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('createReview')]);
    this.show(await this.progress('Creating the review', createReview(platform.api, { body })), reviewLine);
  }
}
