import { type Channel, CHANNEL_TITLES, CHANNELS } from '@plat/forwards';
import { chosenName, environmentArgs } from '../../environments/chosen-environment';
import { recordedProcesses, stopForwards,type StoppedForward } from '../../forwards/stop-forwards';
import { Failure } from '../../terminal/failure';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class ForwardsStop extends PlatCommand {
  static override summary = 'Stop the port forwards of an environment';
  static override description =
    'Only processes that are port forwards are ended. Their records and logs stay; plat open starts them again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --channel mcp',
    '<%= config.bin %> <%= command.id %> dev --dry-run',
  ];
  static override args = environmentArgs;
  static override flags = {
    channel: Flags.custom<Channel>({ options: [...CHANNELS] })({ description: 'Only this channel' }),
    'dry-run': Flags.boolean({ description: 'Print the processes that would end' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ForwardsStop);
    const { configFolder } = this.environment;
    const name = await chosenName(this.environment, args);
    const channels = flags.channel === undefined ? CHANNELS : [flags.channel];
    const of = { configFolder, name, channels };
    if (flags['dry-run']) {
      const running = await recordedProcesses(of);
      return this.showPlan(running.map(({ running: { pid } }) => `kill ${pid}`));
    }
    const stopped = await this.progress('Stopping the forwards', stopForwards(of));
    const [left] = stopped.filter(({ message }) => message !== undefined);
    if (left?.message !== undefined) {
      throw new Failure('FORWARD_REMAINS', `Not all forwards are stopped: ${left.message}.`, {
        details: { forwards: stopped },
        next: 'plat forwards list',
      });
    }
    this.show({ ...name, forwards: stopped }, ({ forwards }) => forwards.map(line).join('\n'));
  }
}

function line({ channel, processId }: StoppedForward): string {
  const title = CHANNEL_TITLES[channel];
  return processId === undefined
    ? `No ${title} forward runs.`
    : `The ${title} forward is stopped (process ${processId}).`;
}
