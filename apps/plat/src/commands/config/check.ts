import { checkConfiguration, type ConfigReport, placed } from '../../config/config-check';
import { PlatCommand } from '../../terminal/plat-command';

export class ConfigCheck extends PlatCommand {
  static override summary = 'Check the files of the configuration';
  static override description =
    "Those of the user, the tenants and the environments, and the project's own (.plat/config.yaml) if you are in a checkout.";
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  override async run(): Promise<void> {
    await this.parse(ConfigCheck);
    const report = await checkConfiguration(this.environment.configFolder, process.cwd());
    if (report.faults.length > 0) this.host.fail();
    this.show(report, describe);
  }
}

/** A line for each fault and each unknown field, and one that sums up. */
function describe({ files, faults, warnings }: ConfigReport): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return [
    ...faults.map(placed),
    ...warnings.map((warning) => `${placed(warning)} (kept)`),
    `${count(files.length, 'file')}, ${count(faults.length, 'fault')}`,
  ].join('\n');
}
