import { configScopeFlags } from '../../config/config-scope';
import { removeConfigValue } from '../../config/config-values';
import { Args, Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class ConfigUnset extends PlatCommand {
  static override summary = 'Remove a value of the configuration';
  static override description =
    'Mappings that it leaves empty go with it. The rest of the file stays as it is, comments included.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> defaultTenant',
    '<%= config.bin %> <%= command.id %> idle.workingHours --tenant acme --environment dev',
  ];
  static override args = {
    key: Args.string({ description: 'Names with dots between them', required: true, ignoreStdin: true }),
  };
  static override flags = {
    ...configScopeFlags,
    'dry-run': Flags.boolean({ description: 'Print the change, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigUnset);
    const { configFolder } = this.environment;
    const { key } = args;
    const dryRun = flags['dry-run'];
    const { path } = await removeConfigValue({ configFolder, scope: flags, key, dryRun });
    if (dryRun) return this.showPlan([`${path}: remove ${key}`]);
    this.show({ path, key }, () => `${key} is removed from ${path}.`);
  }
}
