import { defaultBranch, openCheckout, requireCleanTree } from '../../checkout/checkout';
import { claimsOn, inCheckout } from '../../checkout/checkout-lock';
import { gateMerge, plannedGateMerge } from '../../gate/gate-merge';
import { gateMergeFlags } from '../../gate/gate-merge-flags';
import { gateMergeView } from '../../gate/gate-merge-view';
import { requireGateBranches } from '../../git/branches';
import { requireUnclaimed } from '../../leases/claims';
import { interruptedPlatform } from '../../platform/platform';
import { PlatformCommand } from '../../platform/platform-command';
import { gateMessages } from '../../reviews/gate-messages';
import { prose } from '../../terminal/prose';
import { noteUndoneByGate } from '../../undone/undone-by-gate';
import { resetKilledCheckout } from '../../worktree/killed-checkout';

export class GateMerge extends PlatformCommand {
  static override summary = 'Squash-merge sources onto a fresh checkout of the target, in this checkout';
  static override description =
    prose(`Fetches the target and every source from origin, checks out the target as origin has it, and squash-merges
each source in turn. A source that conflicts, is missing, adds nothing, has a submodule at a commit that the submodule's
remote does not give, or a new one that cannot be cloned, or files that git would store otherwise by their attributes, is
skipped and recorded; if all are skipped, the exit code is 1. No setting or attribute of yours changes the merge. A file that both sides changed, and that
.gitattributes gives a merge of its own (merge=union, -merge), is a conflict: merge the target into the source. The command is refused while another holder has claimed the environment, its worktree or this
checkout. It waits for another gate-merge or push in the checkout. The checkout must be clean; what a killed run left of
a checkout is taken back first.

The local target branch is moved to the merge. The command is refused if that branch has commits of its own that no
other branch or tag holds; if one does, the result names the commit at which the branch stood.

With --messages-on-stdin the messages are read from stdin, one for each source with NUL between them. Otherwise
stdin is not read, and they are the names of the live reviews, which requires a platform alias.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --target-branch main',
    "printf 'Add limits\\0Fix the clock' | <%= config.bin %> <%= command.id %> --messages-on-stdin --source feature/42-limits --source bug/7-clock",
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --dry-run',
  ];
  static override piped = {
    input: 'messages',
    description: 'Message of each source, in their order (default: the names of the live reviews)',
    flag: 'messages-on-stdin',
  };
  static override flags = gateMergeFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(GateMerge);
    await this.host.interruptible(async (interrupted) => {
      const git = await openCheckout(process.cwd(), interrupted);
      const underLease = flags['under-lease'];
      // Before any input is read, so that a refused caller need not give the messages first.
      await requireUnclaimed(await claimsOn(git, this.environment), underLease);
      const targetBranch = flags['target-branch'] ?? (await defaultBranch(git));
      requireGateBranches(flags.source, targetBranch);
      if (flags['dry-run']) await requireCleanTree(git);
      const messages = await gateMessages({
        git,
        sources: flags.source,
        targetBranch,
        read: flags['messages-on-stdin'] ? () => this.host.readInput() : undefined,
        platform: async () => interruptedPlatform(await this.platform(flags), interrupted),
      });
      if (flags['dry-run']) return this.showPlan(plannedGateMerge({ sources: flags.source, targetBranch }));
      const { environment, progress } = this;
      const note = (line: string) => this.terminal.note(line);
      const gate = await inCheckout(git, { environment, underLease, interrupted, note }, async () => {
        await resetKilledCheckout(git, note);
        return gateMerge(git, { sources: flags.source, targetBranch, messages }, progress);
      });
      if (gate.leftBehind) {
        note(`${targetBranch} stood at ${gate.leftBehind.commitId} here, which another branch or tag holds.`);
      }
      if (gate.merged.length === 0) this.host.fail();
      this.show(gate, gateMergeView);
      await noteUndoneByGate(git, gate, { progress, note });
    });
  }
}
