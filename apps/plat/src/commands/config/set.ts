import { configScopeFlags, scopedConfigPath } from '../../config/config-scope';
import { writeConfigValue } from '../../config/config-values';
import { Args, Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class ConfigSet extends PlatCommand {
  static override summary = 'Set a value of the configuration';
  static override description =
    'The value is read as YAML; the rest of the file stays as it is. Secrets do not belong in it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> platform.serviceszone services.example.com --tenant acme',
    '<%= config.bin %> <%= command.id %> mcpEnabled false --tenant acme --environment dev',
  ];
  static override args = {
    key: Args.string({ description: 'Names with dots between them', required: true, ignoreStdin: true }),
    value: Args.string({ description: 'YAML value', required: true, ignoreStdin: true }),
  };
  static override flags = {
    ...configScopeFlags,
    'dry-run': Flags.boolean({ description: 'Print the change, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigSet);
    const path = scopedConfigPath(this.environment.configFolder, flags);
    if (flags['dry-run']) return this.showPlan([`${path}: ${args.key} = ${args.value}`]);
    const value = await writeConfigValue(path, args.key, args.value);
    this.show({ path, key: args.key, value }, () => `${args.key} is set in ${path}.`);
  }
}
