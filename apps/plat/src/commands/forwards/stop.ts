import { type Channel, CHANNELS } from '@plat/forwards';
import { chosenName, environmentArgs } from '../../environments/chosen-environment';
import { plannedStops, stopForwards, type StoppedForward } from '../../forwards/stop-forwards';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class ForwardsStop extends PlatCommand {
  static override summary = 'End the port forwards of an environment';
  static override description = 'The environment runs on. plat open starts them again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --channel mcp --json',
    '<%= config.bin %> <%= command.id %> dev --dry-run',
  ];
  static override args = environmentArgs;
  static override flags = {
    channel: Flags.string({ description: 'This one only', options: [...CHANNELS], helpValue: '<channel>' }),
    'dry-run': Flags.boolean({ description: 'Print the forwards that would be ended' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ForwardsStop);
    const { configFolder, cacheFolder } = this.environment;
    const name = await chosenName(this.environment, args);
    const channels = flags.channel === undefined ? undefined : [flags.channel as Channel];
    const forwards = { configFolder, name, channels };
    if (flags['dry-run']) return this.showPlan(await plannedStops(forwards));
    const stopped = await this.progress('Ending the forwards', stopForwards(forwards, cacheFolder));
    if (stopped.some(({ ended }) => !ended)) this.host.fail();
    this.show({ ...name, forwards: stopped }, ({ forwards: all }) =>
      all.length === 0 ? `No forward of ${name.tenant} ${name.environment} runs.` : all.map(line).join('\n'),
    );
  }
}

function line({ channel, processId, localPort, ended }: StoppedForward): string {
  return ended
    ? `The forward ${channel} on port ${localPort} has ended (process ${processId}).`
    : `The forward ${channel} on port ${localPort} does not end (process ${processId}).`;
}
