import { defaultBranch, openCheckout } from '../checkout/checkout';
import { buildGate } from '../drive/build-gate';
import { commandGate } from '../drive/command-gate';
import type { DrivenReview } from '../drive/drive-context';
import { driveFlags, repeatedFlags } from '../drive/drive-flags';
import { driveView, unmergedReviews, unmergedText } from '../drive/drive-view';
import { planDrive } from '../drive/planned-drive';
import { startDrive } from '../drive/start-drive';
import { findEndedReviews } from '../drive/stopped-after';
import { chosenForgeUrl } from '../forge/forge-flags';
import { readGateTime } from '../gate/gate-time';
import { requireBranchName } from '../git/branches';
import { asksForRecording } from '../landings/record-checkpoint';
import { PlatformCommand } from '../platform/platform-command';
import { isDivergent } from '../reviews/landed-content';
import { ExitCode } from '../terminal/exit-codes';
import { wantsJson } from '../terminal/output-mode';
import { passedNames } from '../terminal/pass-env';
import { printableLine, printableText } from '../terminal/printable';
import { prose } from '../terminal/prose';

export class Drive extends PlatformCommand {
  static override summary =
    'Take the reviews of a merge queue through the gate, one by one, until none waits';
  static override description =
    prose(`For each review: squash-merge it, run the gate, record the GATE build, push, report the merge,
and close the source's pull request if the repository is on a known forge. --record-checkpoint then keeps the platform's
newest checkpoint of your tenant's sealed log in refs/plat/checkpoints of origin. The gate is --gate-command,
or the command in the block gate of .plat/config.yaml on the target branch, of which only the exit status counts;
otherwise plat build --gate without publishing. A failing or conflicting review is recorded as
failed with its reason, and the next one is taken. The drive claims the environment (outside one, the checkout) and
renews the claim.

The drive works in a git worktree of its own next to the checkout, whose branches, index and files stay as they are. The
worktree is kept. Files that the repository ignores, such as installed packages, stay there if the merge of the gate that
left them landed; at the first gate, and after any other, there are none.
Identity, signing, origin, worktree and remote are examined before a review is read, as plat doctor does.

Work of earlier landings that a merge would take back is named before its gate (plat review undoes). With --refuse-undone,
or refuseUndone in the block gate of .plat/config.yaml on the target branch, a review that is sure or likely to do so fails
with these places as its reason, unless a commit message, its name or a comment says that it reverts or undoes that review.

A gate that has not ended after --gate-timeout is ended with all that it started: its gate run is INCONCLUSIVE, and its
review fails, so that the next one is taken.

A verdict counts only if the source is still at the tip that was merged: if it moved, the new tip is merged and gated.

The drive stops if a step refuses. The next run goes on at that step, also after Ctrl-C or a crash; --give-up puts the
review back instead. It also stops at a review that another drive gates, on this machine or another; --take-over goes on
with it if that drive is gone.

Exit code 0: every review that it took is merged. 1: one is not, or its pull request could not be closed. 3: the sealed
log contradicts a checkpoint that was kept. 4: the landed content of one is DIVERGENT, which is not what was reviewed.
Content that is BY_HAND is no failure; a line says where to look at what a person decided.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main',
    '<%= config.bin %> <%= command.id %> --target-branch main --gate-command "make check" --once --json',
    '<%= config.bin %> <%= command.id %> --target-branch main --dry-run',
    '<%= config.bin %> <%= command.id %> --target-branch main --give-up',
  ];
  static override flags = driveFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(Drive);
    const recording = await asksForRecording(flags, this.environment.configFolder);
    const platform = await this.platform(flags);
    const { 'gate-command': command, once, 'under-lease': underLease } = flags;
    const forgeUrl = chosenForgeUrl(this.host, flags);
    const passed = passedNames(this.host, flags);
    const gate =
      command === undefined ? buildGate(this.environment, passed) : commandGate(command, { passed });
    const gateTime = readGateTime(flags['gate-timeout']);
    const folder = process.cwd();
    const targetBranch = flags['target-branch'] ?? (await defaultBranch(await openCheckout(folder)));
    requireBranchName(targetBranch, '--target-branch');
    const order = { platform, targetBranch, gate, gateTime, forgeUrl, recording, folder };
    if (flags['dry-run']) {
      const { configFolder } = this.environment;
      return this.showPlan(await planDrive({ ...order, configFolder }));
    }
    const driving = this.host.interruptible((interrupted) =>
      startDrive({
        ...order,
        repeatedFlags: repeatedFlags(flags, recording),
        once,
        underLease,
        takeOver: flags['take-over'],
        giveUp: flags['give-up'],
        refuseUndone: flags['refuse-undone'],
        interrupted,
        ...this.surroundings(),
      }),
    );
    const report = await driving.catch((error: unknown) => {
      this.showEnded(findEndedReviews(error));
      throw error;
    });
    const unmerged = flags['give-up'] ? [] : unmergedReviews(report);
    if (unmerged.length > 0) this.terminal.note(printableText(unmergedText(report, unmerged)));
    if (unmerged.length > 0 || report.reviews.some(({ pullRequest }) => pullRequest?.closed === false)) {
      this.host.fail();
    }
    if (report.reviews.some(isDivergent)) this.host.fail(ExitCode.divergent);
    this.show(report, driveView);
  }
  private surroundings() {
    const { environment, progress, terminal } = this;
    const note = (line: string) => terminal.note(printableLine(line));
    return { environment, progress, note, output: (chunk: Buffer) => terminal.output(chunk) };
  }

  /** With `--json` the reviews are in the one value of the failure. */
  private showEnded(reviews: readonly DrivenReview[]): void {
    if (reviews.length === 0 || wantsJson(this.argv)) return;
    this.terminal.result(driveView({ reviews }));
  }
}
