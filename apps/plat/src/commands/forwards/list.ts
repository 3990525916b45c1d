import { chosenName, environmentArgs } from '../../environments/chosen-environment';
import { listForwards } from '../../forwards/forward-list';
import { forwardTable } from '../../forwards/forward-views';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';
import { watch, watchFlag } from '../../terminal/watch';

export class ForwardsList extends PlatCommand {
  static override summary = 'List the port forwards of this machine, with their state';
  static override description =
    prose(`alive: it answers. silent: its process runs and nothing answers through it. ended: nothing has the port.
foreign: another program has the port. unreadable: its record is damaged; plat open replaces it. Without names: of all
environments. The log of each has what happened.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --json',
    '<%= config.bin %> <%= command.id %> --watch',
  ];
  static override args = environmentArgs;
  static override flags = { watch: watchFlag };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ForwardsList);
    const { configFolder } = this.environment;
    const named = args.tenant === undefined ? undefined : await chosenName(this.environment, args);
    const read = () =>
      listForwards(
        configFolder,
        ({ tenant, environment }) =>
          named === undefined || (tenant === named.tenant && environment === named.environment),
      );
    const show = (forwards: Awaited<ReturnType<typeof read>>) =>
      this.show({ forwards }, () => forwardTable(forwards));
    if (!flags.watch) return show(await this.progress('Examining the forwards', read()));
    await watch({ read, show, isHiccup: () => false, terminal: this.terminal });
  }
}
