import { isBlank } from '@plat/contracts/core';
import { targetBranchFlag, targetBranchOf } from '../../../checkout/target-branch-flag';
import { PlatformCommand } from '../../../platform/platform-command';
import { overrideAdvanceQueue } from '../../../queue/advance-queue';
import { queueRepository, queueRepositoryFlags } from '../../../queue/queue-flags';
import { reviewLine } from '../../../reviews/review-views';
import { Failure } from '../../../terminal/failure';
import { Flags } from '../../../terminal/oclif';

export class QueueOverrideAdvance extends PlatformCommand {
  static override summary = 'Promote the head of a merge queue although it has unresolved threads';
  static override description =
    'The audit trail records the reason and the caller. An occupied slot is not overridden.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main --reason "hotfix, agreed with the author"',
  ];
  static override flags = {
    ...queueRepositoryFlags,
    'target-branch': targetBranchFlag('Branch of the queue'),
    reason: Flags.string({
      description: 'Why the threads may stay open',
      required: true,
      helpValue: '<text>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(QueueOverrideAdvance);
    const platform = await this.platform(flags);
    const { reason } = flags;
    if (isBlank(reason)) {
      throw new Failure('BLANK_REASON', '--reason is blank.', {
        next: 'give the reason why the threads may stay open',
      });
    }
    const targetBranch = await targetBranchOf(flags['target-branch']);
    const body = { repository: await queueRepository(flags), targetBranch, reason };
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('overrideAdvanceMergeQueue')]);
    this.show(
      await this.progress('Advancing the queue', overrideAdvanceQueue(platform.api, body)),
      reviewLine,
    );
  }
}
