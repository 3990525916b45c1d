import { getMergeQueueStatistics } from '@plat/api-client';
import { targetBranchFlag, targetBranchOf } from '../../../checkout/target-branch-flag';
import { PlatformCommand } from '../../../platform/platform-command';
import { queueRepository, queueRepositoryFlags } from '../../../queue/queue-flags';
import { statisticsText } from '../../../queue/statistics-text';
import { Flags } from '../../../terminal/oclif';
import { timeText } from '../../../terminal/relative-time';

export class QueueStats extends PlatformCommand {
  static override summary =
    'Count what became of the reviews of a merge queue, how long it took, and flaky steps';
  static override description =
    'A step is flaky if it failed although another gate run of the same commit passed. 90 days at most are counted.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --target-branch main --since 2026-01-01T00:00:00Z --until 2026-02-01T00:00:00Z --json',
  ];
  static override flags = {
    ...queueRepositoryFlags,
    'target-branch': targetBranchFlag('Branch of the queue'),
    since: Flags.string({
      description: 'Begin, RFC 3339 (default: 30 days before the end)',
      helpValue: '<time>',
    }),
    until: Flags.string({ description: 'End, RFC 3339 (default: now)', helpValue: '<time>' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(QueueStats);
    const { api } = await this.platform(flags);
    const { since, until } = flags;
    const targetBranch = await targetBranchOf(flags['target-branch']);
    const query = { targetBranch, repository: await queueRepository(flags), since, until };
    const statistics = await this.progress('Counting', getMergeQueueStatistics(api, { query }));
    this.show(statistics, (shown) => statisticsText(shown, timeText(this.terminal.interactive)));
  }
}
