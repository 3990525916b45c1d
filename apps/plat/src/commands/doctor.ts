import { chooseBuilder } from '../build/builder-choice';
import { checks } from '../doctor/checks';
import { examine, findingsTable } from '../doctor/examination';
import { podOf } from '../doctor/pod-checks';
import { PlatformCommand } from '../platform/platform-command';

export class Doctor extends PlatformCommand {
  static override summary = 'Check what this client depends on, and print the remedy for each fault';
  static override description =
    'Changes nothing. Exit code 1 if a check fails. In a runtime pod it looks at what a pod needs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --alias work --json',
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const surroundings = {
      configFolder: this.environment.configFolder,
      clientRoot: this.config.root,
      folder: process.cwd(),
      pod: podOf(this.environment),
      builder: chooseBuilder,
      platform: () => this.platform(flags),
    };
    const findings = await this.progress('Checking', checks(surroundings).then(examine));
    if (findings.some(({ result }) => result === 'failed')) this.host.fail();
    this.show(findings, findingsTable);
  }
}
