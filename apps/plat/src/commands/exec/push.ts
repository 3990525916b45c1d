import { defined } from '@plat/contracts/core';
import { requireSoundMerge } from '../../before-push/judge-merge';
import { defaultBranch, openCheckout } from '../../checkout/checkout';
import { inCheckout } from '../../checkout/checkout-lock';
import { commitToPush } from '../../gate/commit-to-push';
import { requireBranchName } from '../../git/branches';
import { checkpointFlags } from '../../landings/checkpoint-flags';
import {
  asksForRecording,
  plannedRecording,
  recordAfter,
  recordedText,
} from '../../landings/record-checkpoint';
import { PlatformCommand } from '../../platform/platform-command';
import { plannedPush, push, type PushInput } from '../../push/push';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class Push extends PlatformCommand {
  static override summary = 'Push a gated merge to its target branch on origin, by its hash';
  static override description =
    prose(`Pushes the merge that is checked out on the target branch, if its gate has passed: by plat build --gate in
this checkout, or as plat review record-build --gate accepted it. With --commit-id it pushes that commit, for which you
vouch. A commit whose last gate in this checkout failed is refused in any case.
Before it pushes a merge that plat made, it judges each squash commit by the platform's own code: it refuses one that is not
the merge of its source, and names what else is not exact.
It pushes one commit onto an existing branch of origin, without force, and refuses if the target has moved since the
merge. It also refuses while another holder has claimed the environment, its worktree or this checkout. It shows the
forge's output, including a bypass of its rules. --record-checkpoint then keeps the platform's newest checkpoint of your
tenant's sealed log in refs/plat/checkpoints of origin, if it continues the one that is there; exit code 3 if not.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main',
    '<%= config.bin %> <%= command.id %> --target-branch main --commit-id <commit> --json',
    '<%= config.bin %> <%= command.id %> --target-branch main --dry-run',
  ];
  static override flags = {
    'target-branch': Flags.string({
      description: "Branch to push to (default: origin's own)",
      helpValue: '<branch>',
    }),
    'commit-id': Flags.string({
      description: 'Commit to push (default: the gated merge that is checked out)',
      helpValue: '<commit>',
    }),
    'under-lease': Flags.string({ description: "The caller's own claim", helpValue: '<lease_id>' }),
    ...checkpointFlags,
    'dry-run': Flags.boolean({ description: 'Print the commands, touch nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Push);
    // Before the push, so that a wrong key or a missing alias prevents it.
    const recording = await asksForRecording(flags, this.environment.configFolder);
    const platform = recording && (await this.platform(flags));
    await this.host.interruptible(async (interrupted) => {
      const git = await openCheckout(process.cwd(), interrupted);
      const targetBranch = flags['target-branch'] ?? (await defaultBranch(git));
      requireBranchName(targetBranch, '--target-branch');
      const input = () => commitToPush(git, targetBranch, flags['commit-id']);
      if (flags['dry-run']) {
        return this.showPlan([
          ...plannedPush(await input()),
          ...(platform ? plannedRecording(platform) : []),
        ]);
      }
      const { environment, progress } = this;
      const note = (line: string) => this.terminal.note(line);
      const around = { environment, underLease: flags['under-lease'], interrupted, note };
      const pushSound = async (merge: PushInput) => {
        await requireSoundMerge(git, merge, { note });
        return push(git, merge, note);
      };
      const pushed = await inCheckout(git, around, async () =>
        progress(`Pushing ${targetBranch}`, pushSound(await input())),
      );
      for (const line of pushed.remoteMessages) this.terminal.note(`remote: ${line}`);
      const api = platform?.api.interruptedBy(interrupted);
      const again = ['plat', 'exec', 'push', '--target-branch', targetBranch, '--commit-id', pushed.commitId];
      const checkpoint =
        recording && api && (await recordAfter({ git, api, push: pushed, again }, recording));
      this.show(defined({ ...pushed, checkpoint }), ({ commitId, upToDate }) =>
        upToDate ? `${targetBranch} had ${commitId} already.` : `${targetBranch} is at ${commitId}.`,
      );
      if (checkpoint) this.terminal.note(recordedText(checkpoint));
    });
  }
}
