import { buildGate } from '../drive/build-gate';
import { commandGate } from '../drive/command-gate';
import { driveFlags } from '../drive/drive-flags';
import { driveView } from '../drive/drive-view';
import { startDrive } from '../drive/start-drive';
import { requireBranchName } from '../gate/branches';
import { plannedDrive } from '../drive/planned-drive';
import { PlatformCommand } from '../session/platform-command';
import { printableLine } from '../terminal/printable';
import { prose } from '../terminal/prose';

export class Drive extends PlatformCommand {
  static override summary =
    'Take the reviews of a merge queue through the gate, one by one, until nobody waits';
  static override description =
    prose(`For each review: squash-merge it in this checkout, run the gate, record the GATE build, push, report the merge,
and close the source's pull request where the repository is on a known forge. The gate is that of plat build --gate, of
which nothing is published, or --gate-command, of which only the exit status is read. A failing or conflicting review
is recorded as failed with its reason, and the next one is taken. It works under a claim of the environment (outside
one, of the checkout), which it renews.

It stops where a step refuses. Run again it goes on at that step, after Ctrl-C or a crash as well. The checkout must be
clean. A merge stands: a pull request that cannot be closed is told, with exit code 1 at the end.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target main',
    '<%= config.bin %> <%= command.id %> --target main --gate-command "make check" --once --json',
    '<%= config.bin %> <%= command.id %> --target main --dry-run',
  ];
  static override flags = driveFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(Drive);
    const platform = await this.platform(flags);
    const { target: targetBranch, 'gate-command': command, once, 'under-lease': underLease } = flags;
    const forgeUrl = flags['forge-url'];
    const gate = command === undefined ? buildGate(this.environment) : commandGate(command);
    requireBranchName(targetBranch, '--target');
    const folder = process.cwd();
    if (flags['dry-run'])
      return this.showPlan(await plannedDrive({ platform, targetBranch, gate, forgeUrl, folder }));
    const report = await this.host.interruptible((interrupted) =>
      startDrive({
        platform,
        targetBranch,
        gate,
        forgeUrl,
        folder,
        once,
        underLease,
        interrupted,
        environment: this.environment,
        progress: this.progress,
        note: (line) => this.terminal.note(printableLine(line)),
        output: (chunk) => process.stderr.write(chunk),
      }),
    );
    if (report.reviews.some(({ pullRequest }) => pullRequest?.closed === false)) this.host.fail();
    this.show(report, driveView);
  }
}
