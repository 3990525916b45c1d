import { forwardsTable } from '../../forwards/forwards-table';
import { type ListedForward, listForwards } from '../../forwards/listed-forward';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';
import { watch, watchFlag } from '../../terminal/watch';

export class ForwardsList extends PlatCommand {
  static override summary = 'List the port forwards of this machine, and whether each answers';
  static override description =
    prose(`Of each forward: its state, the port on 127.0.0.1, its process, when it was recorded, its last connection to the
pod and its last error. A state is alive, not answering, ended, foreign (another process has the port), reused id (the
recorded process is another one now) or unreadable. Changes nothing; plat open mends what is not alive.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
    '<%= config.bin %> <%= command.id %> --watch',
  ];
  static override flags = { watch: watchFlag };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ForwardsList);
    const read = () => listForwards(this.environment.configFolder);
    if (!flags.watch) {
      this.show(await this.progress('Probing the forwards', read()), forwardsTable);
      return;
    }
    const show = (forwards: Awaited<ReturnType<typeof read>>) => this.show(forwards, forwardsTable);
    // Each look is a connection, so the last success of a forward that is alive changes with each.
    const compared = (forwards: ListedForward[]) =>
      forwards.map((one) => ({ ...one, lastSuccess: undefined }));
    await watch({ read, show, compared, isHiccup: () => false, terminal: this.terminal });
  }
}
