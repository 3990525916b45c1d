import { closePullRequest, plannedClosing } from '../../forge/close-pull-request';
import { openForge } from '../../forge/forge';
import { forgeInput } from '../../forge/forge-flags';
import { requireCommitId } from '../../forge/pull-request';
import { gatedSource, sourceFlags } from '../../forge/source-flags';
import { openCheckout, requireHeadCommit } from '../../gate/checkout';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class ClosePr extends PlatCommand {
  static override summary = 'Close the pull request of a source that has landed, and say where';
  static override description =
    prose(`For after report-merged. Nothing is done where the source has no open pull request; one whose head has moved
since the gate fetched it is refused. The token for the forge is gh's: its variables, or its session.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --commit-id <commit> --dry-run',
  ];
  static override flags = {
    ...sourceFlags,
    'commit-id': Flags.string({
      description: 'Commit that carries the source on the target (default: the one checked out)',
      helpValue: '<commit>',
    }),
    'dry-run': Flags.boolean({ description: 'Check the pull request, print the calls, write nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ClosePr);
    const source = await gatedSource(flags);
    const commitId =
      flags['commit-id'] === undefined
        ? await requireHeadCommit(await openCheckout(process.cwd()))
        : requireCommitId(flags['commit-id'], '--commit-id');
    const forge = await openForge(forgeInput(flags));
    const landing = { ...source, commitId };
    if (flags['dry-run']) return this.showPlan(await plannedClosing(forge, landing));
    const closing = closePullRequest(forge, landing);
    this.show(await this.progress('Closing the pull request', closing), ({ pullRequest }) =>
      pullRequest === undefined
        ? `${source.sourceBranch} has no open pull request.`
        : `Pull request #${pullRequest.number} is closed: ${pullRequest.url}`,
    );
  }
}
