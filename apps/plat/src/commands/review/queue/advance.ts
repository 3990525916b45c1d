import { targetBranchFlag, targetBranchOf } from '../../../checkout/target-branch-flag';
import { PlatformCommand } from '../../../platform/platform-command';
import { advanceQueue } from '../../../queue/advance-queue';
import { queueRepository, queueRepositoryFlags } from '../../../queue/queue-flags';
import { reviewLine } from '../../../reviews/review-views';
import { Flags } from '../../../terminal/oclif';

export class QueueAdvance extends PlatformCommand {
  static override summary = 'Promote the head of a merge queue to MERGE';
  static override description = 'Does not merge the promoted review: the gate builds, pushes and reports it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main',
    '<%= config.bin %> <%= command.id %> --target-branch main --repository https://git.example.com/acme/app --json',
  ];
  static override flags = {
    ...queueRepositoryFlags,
    'target-branch': targetBranchFlag('Branch of the queue'),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(QueueAdvance);
    const platform = await this.platform(flags);
    const targetBranch = await targetBranchOf(flags['target-branch']);
    const body = { repository: await queueRepository(flags), targetBranch };
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('advanceMergeQueue')]);
    this.show(await this.progress('Advancing the queue', advanceQueue(platform.api, body)), reviewLine);
  }
}
