import { requireBranchName } from '../../gate/branches';
import { defaultBranch, openCheckout } from '../../gate/checkout';
import { plannedPush, push } from '../../gate/push';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class Push extends PlatCommand {
  static override summary = 'Push the checked-out target branch to origin';
  static override description =
    prose(`A plain push of one branch: nothing is forced. It is refused while another branch than the target is
checked out. What the forge says, a bypass of its rules included, is shown.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main',
    '<%= config.bin %> <%= command.id %> --target-branch main --json',
    '<%= config.bin %> <%= command.id %> --target-branch main --dry-run',
  ];
  static override flags = {
    'target-branch': Flags.string({
      description: "Branch to push to (default: origin's own)",
      helpValue: '<branch>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the git command, touch nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Push);
    await this.host.interruptible(async (interrupted) => {
      const git = await openCheckout(process.cwd(), interrupted);
      const targetBranch = flags['target-branch'] ?? (await defaultBranch(git));
      requireBranchName(targetBranch, '--target-branch');
      if (flags['dry-run']) return this.showPlan(await plannedPush(git, targetBranch));
      const pushed = await this.progress(`Pushing ${targetBranch}`, push(git, targetBranch));
      for (const line of pushed.remoteMessages) this.terminal.note(`remote: ${line}`);
      this.show(pushed, ({ commitId, upToDate }) =>
        upToDate ? `${targetBranch} was at ${commitId} already.` : `${targetBranch} is at ${commitId}.`,
      );
    });
  }
}
