import { isHiccup } from '../../../failures/api-failure';
import { PlatformCommand } from '../../../platform/platform-command';
import { queueRepository, queueRepositoryFlags } from '../../../queue/queue-flags';
import { type ListedReview, listQueue, queueTable } from '../../../queue/queue-listing';
import { Flags } from '../../../terminal/oclif';
import { watch, watchFlag } from '../../../terminal/watch';
import { userNames } from '../../../users/user-names';

export class QueueList extends PlatformCommand {
  static override summary =
    'List the reviews that wait in the merge queue, in queue order, with their estimates';
  static override description =
    'The review in the merge slot is not listed; plat review queue show shows it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --target-branch main --json',
    '<%= config.bin %> <%= command.id %> --target-branch main --watch',
    '<%= config.bin %> <%= command.id %> --any-repository',
  ];
  static override flags = {
    ...queueRepositoryFlags,
    watch: watchFlag,
    'target-branch': Flags.string({ description: 'Only the queue of this branch', helpValue: '<branch>' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(QueueList);
    const platform = await this.platform(flags);
    const query = { repository: await queueRepository(flags), targetBranch: flags['target-branch'] };
    const read = () => this.progress('Listing the queue', listQueue(platform.api, query));
    const names = await userNames(this.environment.configFolder, platform.alias);
    const show = (queue: ListedReview[]) => this.show(queue, (rows) => queueTable(rows, names));
    if (flags.watch) return watch({ read, show, isHiccup, terminal: this.terminal });
    show(await read());
  }
}
