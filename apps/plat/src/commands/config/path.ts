import { configScopeFlags, scopedConfigPath } from '../../config/config-scope';
import { PlatCommand } from '../../terminal/plat-command';

export class ConfigPath extends PlatCommand {
  static override summary = 'Show the path of the configuration file';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --tenant acme --environment dev --json',
  ];
  static override flags = configScopeFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(ConfigPath);
    const path = scopedConfigPath(this.environment.configFolder, flags);
    this.show({ path }, () => path);
  }
}
