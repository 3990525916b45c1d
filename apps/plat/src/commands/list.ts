import { listEnvironments } from '../environments/environment-list';
import { listTable } from '../environments/list-view';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';

export class List extends PlatCommand {
  static override summary = 'List the environments of this machine';
  static override description =
    prose(`Each with its ports and forwards, and whether it is the default one or the one that a command without names
means here. Reads the configuration and probes the forwards, as plat forwards list does; of an environment of a managed cloud also why it last stopped itself, from its
cluster. Exit code 1 if a file of an environment has a fault.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  override async run(): Promise<void> {
    await this.parse(List);
    await this.host.interruptible(async (interrupted) => {
      const listed = listEnvironments(this.environment, process.cwd(), interrupted);
      const list = await this.progress('Reading the environments', listed);
      if (list.environments.some(({ faults }) => faults.length > 0)) this.host.fail();
      this.show(list, listTable);
    });
  }
}
