import { Flags } from '@oclif/core';
import { driveView } from '../drive/drive-view';
import { startDrive } from '../drive/start-drive';
import { requireBranchName } from '../gate/branches';
import { plannedDrive } from '../drive/planned-drive';
import { PlatformCommand } from '../session/platform-command';
import { interruptible } from '../terminal/interruption';
import { printableLine } from '../terminal/printable';
import { prose } from '../terminal/prose';

export class Drive extends PlatformCommand {
  static override summary =
    'Take the reviews of a merge queue through the gate, one by one, until nobody waits';
  static override description =
    prose(`For each review: squash-merge it in this checkout, run the gate command, record the GATE build, push, and
report the merge. A failing or conflicting review is recorded as failed with its reason, and the next one is taken. It
works under a claim of the environment (outside one, of the checkout), which it renews.

It stops where a step refuses. Run again it goes on at that step, after Ctrl-C or a crash as well. The checkout must be
clean. Of the gate command only the exit status is read.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target main --gate-command "npm test"',
    '<%= config.bin %> <%= command.id %> --target main --gate-command "make check" --once --json',
    '<%= config.bin %> <%= command.id %> --target main --gate-command "npm test" --dry-run',
  ];
  static override flags = {
    target: Flags.string({
      description: 'Target branch of the queue',
      required: true,
      helpValue: '<branch>',
    }),
    'gate-command': Flags.string({
      description: 'Shell command that tests the merge, run in the checkout',
      required: true,
      helpValue: '<command>',
    }),
    once: Flags.boolean({ description: 'Stop after one review' }),
    'under-lease': Flags.string({ description: "The caller's own claim", helpValue: '<lease_id>' }),
    'dry-run': Flags.boolean({ description: 'Print the steps for the next review, take none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Drive);
    const platform = await this.platform(flags);
    const { target: targetBranch, 'gate-command': gateCommand, once, 'under-lease': underLease } = flags;
    requireBranchName(targetBranch, '--target');
    const folder = process.cwd();
    if (flags['dry-run'])
      return this.showPlan(await plannedDrive({ platform, targetBranch, gateCommand, folder }));
    const report = await interruptible((interrupted) =>
      startDrive({
        platform,
        targetBranch,
        gateCommand,
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
    this.show(report, driveView);
  }
}
