import { createGateRun } from '@plat/api-client';
import { openCheckout } from '../../../checkout/checkout';
import { readGatedCommits } from '../../../gate/gate-run-commits';
import { gateRunLine } from '../../../gate/gate-run-views';
import { requireGateBranches } from '../../../git/branches';
import { PlatformCommand } from '../../../platform/platform-command';
import { reviewIdOfFlag } from '../../../reviews/review-id';
import { Flags } from '../../../terminal/oclif';

export class GateRunStart extends PlatformCommand {
  static override summary = 'Make a gate attempt visible: it is running';
  static override description =
    'The commits are those of gate-merge in this checkout, unless both are given. A gate run moves no review.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --source-branch feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --source-branch s --target-branch main --review <review_id> --json',
  ];
  static override flags = {
    'source-branch': Flags.string({
      description: 'Branch that is gated',
      required: true,
      helpValue: '<branch>',
    }),
    'target-branch': Flags.string({
      description: 'Branch it is to land on',
      required: true,
      helpValue: '<branch>',
    }),
    'source-commit': Flags.string({
      description: 'Tip of the source branch',
      dependsOn: ['merge-commit'],
      helpValue: '<commit>',
    }),
    'merge-commit': Flags.string({
      description: 'The prospective merge',
      dependsOn: ['source-commit'],
      helpValue: '<commit>',
    }),
    review: Flags.string({ description: 'Review that is gated', helpValue: '<review_id>' }),
    holder: Flags.string({
      description: 'Hold the run; refused while another held run of the review is running',
      dependsOn: ['review'],
      helpValue: '<text>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(GateRunStart);
    const platform = await this.platform(flags);
    const { 'source-branch': sourceBranch, 'target-branch': targetBranch, holder } = flags;
    requireGateBranches([sourceBranch], targetBranch);
    const reviewId = await reviewIdOfFlag(platform.api, flags.review);
    const { 'source-commit': sourceCommit, 'merge-commit': mergeCommit } = flags;
    const commits =
      sourceCommit !== undefined && mergeCommit !== undefined
        ? { sourceCommit, mergeCommit }
        : await readGatedCommits(await openCheckout(process.cwd()), sourceBranch);
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('createGateRun')]);
    const body = { sourceBranch, targetBranch, ...commits, reviewId, holder };
    this.show(await this.progress('Starting', createGateRun(platform.api, { body })), gateRunLine);
  }
}
