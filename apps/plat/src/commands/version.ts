import { PlatCommand } from '../terminal/plat-command';

export class Version extends PlatCommand {
  static override summary = 'Show the version of this client';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  override async run(): Promise<void> {
    await this.parse(Version);
    const version = { version: this.config.version, node: process.version, platform: process.platform };
    this.show(version, () => `plat ${version.version}`);
  }
}
