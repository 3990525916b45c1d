import { targetBranchFlag, targetBranchOf } from '../../../checkout/target-branch-flag';
import { PlatformCommand } from '../../../platform/platform-command';
import { queueCard } from '../../../queue/queue-card';
import { queueRepository, queueRepositoryFlags } from '../../../queue/queue-flags';
import { entryTable } from '../../../queue/queue-listing';
import { readStatus } from '../../../queue/read-queue';
import { countFlag } from '../../../terminal/count-flag';
import { wantsJson } from '../../../terminal/output-mode';
import { timeText } from '../../../terminal/relative-time';
import { userNames } from '../../../users/user-names';

export class QueueShow extends PlatformCommand {
  static override summary = 'Show what a merge queue does: its slot, its pace, and who waits';
  static override description =
    'The slot is LATE or STUCK if what goes on there takes longer than the last merges of this queue, BLOCKED while the head has open threads.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --target-branch main --json',
  ];
  static override flags = {
    ...queueRepositoryFlags,
    'target-branch': targetBranchFlag('Branch of the queue'),
    limit: countFlag({ description: 'How many entries, 200 at most (default: 50)', max: 200 }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(QueueShow);
    const platform = await this.platform(flags);
    const targetBranch = await targetBranchOf(flags['target-branch']);
    const queue = { targetBranch, repository: await queueRepository(flags) };
    const status = await this.progress('Reading the queue', readStatus(platform.api, queue, flags.limit));
    const names = await userNames(this.environment.configFolder, platform.alias);
    this.show(status, (shown) => queueCard(shown, timeText(this.terminal.interactive)));
    if (!wantsJson(this.argv)) this.terminal.result(entryTable(status.entries, names));
    if (status.nextCursor !== undefined) this.terminal.note('More wait: --limit, or plat review queue list');
  }
}
