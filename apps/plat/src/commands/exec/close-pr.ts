import { openCheckout } from '../../checkout/checkout';
import { remoteOf } from '../../checkout/repository-choice';
import { closePullRequest, planClosing } from '../../forge/close-pull-request';
import { openForge } from '../../forge/forge';
import { forgeInput } from '../../forge/forge-flags';
import { requireCommitId } from '../../forge/pull-request';
import { findGatedSource, sourceFlags } from '../../forge/source-flags';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class ClosePr extends PlatCommand {
  static override summary = 'Close the pull request of a landed source, with a comment that names the commit';
  static override description =
    prose(`To be run after report-merged. Does nothing if the source has no open pull request. Refuses a pull request whose
head has moved since the gate fetched it, and a source that has not landed, which it checks on the fetched target branch
in this checkout. The token for the forge is gh's: its variables, or its session.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --commit-id <commit> --dry-run',
  ];
  static override flags = {
    ...sourceFlags,
    'commit-id': Flags.string({
      description: 'Commit that carries the source on the target (default: the first one that does)',
      helpValue: '<commit>',
    }),
    'dry-run': Flags.boolean({ description: 'Check the pull request, print the calls, write nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ClosePr);
    const source = await findGatedSource(flags);
    const named = flags['commit-id'];
    const commitId = named === undefined ? undefined : requireCommitId(named, '--commit-id');
    const look = async () => {
      const git = await openCheckout(process.cwd());
      return { git, remote: await remoteOf(git, flags.repository) };
    };
    const forge = await openForge(forgeInput(this.host, flags));
    const landing = { ...source, commitId, look };
    if (flags['dry-run']) return this.showPlan(await planClosing(forge, landing));
    const closing = closePullRequest(forge, landing);
    this.show(await this.progress('Closing the pull request', closing), ({ pullRequest }) =>
      pullRequest === undefined
        ? `${source.sourceBranch} has no open pull request.`
        : `Pull request #${pullRequest.number} is closed: ${pullRequest.url}`,
    );
  }
}
