import type { EnvironmentName } from '@plat/environments';
import { type Channel, CHANNELS, listKeptForwards } from '@plat/forwards';
import { nearest } from '@plat/local';
import { readConfiguredNames } from '../../config/config-scope';
import { chooseName, environmentArgs } from '../../environments/chosen-environment';
import { fullName } from '../../environments/environment-choice';
import { planStops, stopForwards, type StoppedForward } from '../../forwards/stop-forwards';
import { Failure } from '../../terminal/failure';
import { nextStep } from '../../terminal/next-step';
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
    const name = await chooseName(this.environment, args);
    await requireForwards(configFolder, name);
    const channels = flags.channel === undefined ? undefined : [flags.channel as Channel];
    const forwards = { configFolder, name, channels };
    if (flags['dry-run']) return this.showPlan(await planStops(forwards));
    const stopped = await this.progress('Ending the forwards', stopForwards(forwards, cacheFolder));
    if (stopped.some(({ ended }) => !ended)) this.host.fail();
    this.show({ ...name, forwards: stopped }, ({ forwards: all }) =>
      all.length === 0 ? `No forward of ${name.tenant} ${name.environment} runs.` : all.map(line).join('\n'),
    );
  }
}

/** @throws Failure NOT_CONFIGURED: nothing on this machine has the name, which may be misspelt */
async function requireForwards(configFolder: string, name: EnvironmentName): Promise<void> {
  const { environments } = await readConfiguredNames(configFolder);
  const kept = (await listKeptForwards(configFolder)).map((one) => one.name);
  const known = [...new Set([...environments, ...kept].map(fullName))];
  if (known.includes(fullName(name))) return;
  const meant = nearest(fullName(name), known);
  const list = known.length === 0 ? 'None is known.' : `Known: ${known.join(', ')}.`;
  throw new Failure(
    'NOT_CONFIGURED',
    `There is no environment ${fullName(name)} on this machine, and no forward of one. ${list}`,
    {
      details: { ...name, environments: known },
      next:
        meant === undefined
          ? nextStep('plat forwards list')
          : nextStep('repeat the command with', meant.split(' ')),
    },
  );
}

function line({ channel, processId, localPort, ended }: StoppedForward): string {
  return ended
    ? `The forward ${channel} on port ${localPort} has ended (process ${processId}).`
    : `The forward ${channel} on port ${localPort} does not end (process ${processId}).`;
}
