import { configScopeFlags } from '../../config/config-scope';
import { writeConfigValue } from '../../config/config-values';
import { Args, Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class ConfigSet extends PlatCommand {
  static override summary = 'Set a value of the configuration';
  static override description =
    prose(`The value is read as YAML, and checked by its field; a field that is not known is refused. The rest of the file stays as it is, comments
included; the first change of a day keeps the old text next to it. Secrets do not belong in it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> defaultTenant acme',
    '<%= config.bin %> <%= command.id %> defaultEnvironment dev --tenant acme',
    '<%= config.bin %> <%= command.id %> idle.timeout 15m --tenant acme --environment dev',
  ];
  static override args = {
    key: Args.string({ description: 'Names with dots between them', required: true, ignoreStdin: true }),
    value: Args.string({ description: 'YAML value', required: true, ignoreStdin: true }),
  };
  static override flags = {
    ...configScopeFlags,
    'allow-unknown': Flags.boolean({ description: 'Keep a field that this version does not know' }),
    'dry-run': Flags.boolean({ description: 'Print the change, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigSet);
    const { configFolder } = this.environment;
    const { key, value: text } = args;
    const dryRun = flags['dry-run'];
    const written = await writeConfigValue({
      ...{ configFolder, scope: flags, key, text, dryRun },
      allowUnknown: flags['allow-unknown'],
    });
    const { path, value, warnings } = written;
    for (const warning of warnings) this.terminal.note(warning);
    if (dryRun) return this.showPlan([`${path}: ${key} = ${text}`]);
    this.show({ path, key, value }, () => `${key} is set in ${path}.`);
  }
}
