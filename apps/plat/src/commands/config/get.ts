import { configScopeFlags, scopedConfigPath } from '../../config/config-scope';
import { readConfigValue } from '../../config/config-values';
import { Args } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class ConfigGet extends PlatCommand {
  static override summary = 'Show a value of the configuration, or all of it';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> defaultEnvironment --tenant acme',
    '<%= config.bin %> <%= command.id %> idle --tenant acme --environment dev --json',
  ];
  static override args = {
    key: Args.string({ description: 'Names with dots between them', ignoreStdin: true }),
  };
  static override flags = configScopeFlags;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigGet);
    const path = scopedConfigPath(this.environment.configFolder, flags);
    const value = await readConfigValue(path, args.key);
    const text =
      typeof value === 'object' ? (await import('yaml')).stringify(value).trimEnd() : String(value);
    this.show(value, () => text);
  }
}
