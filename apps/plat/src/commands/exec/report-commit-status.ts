import { findGatedPullRequest, reportCommitStatus } from '../../forge/commit-status';
import { openForge, plannedForgeCall } from '../../forge/forge';
import { forgeInput } from '../../forge/forge-flags';
import { findGatedSource, sourceFlags } from '../../forge/source-flags';
import { Failure } from '../../terminal/failure';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class ReportCommitStatus extends PlatCommand {
  static override summary =
    "Report a gate build's outcome as a commit status on the head of its pull request";
  static override description =
    prose(`For target branches whose rules require a status check. Refuses a pull request whose head has moved since the
gate fetched it, because its new commits were not built. The token for the forge is gh's: its variables, or its session.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --source feature/42-limits --failed --failure-detail "3 tests failed"',
  ];
  static override flags = {
    ...sourceFlags,
    failed: Flags.boolean({ description: 'The gate build failed' }),
    'failure-detail': Flags.string({
      description: 'Why it failed',
      dependsOn: ['failed'],
      helpValue: '<text>',
    }),
    context: Flags.string({ description: 'Name of the check', default: 'plat/gate', helpValue: '<name>' }),
    'target-url': Flags.string({ description: 'Page with details', helpValue: '<url>' }),
    'dry-run': Flags.boolean({ description: 'Check the pull request, print the call, write nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReportCommitStatus);
    if (flags.context.trim() === '') throw new Failure('BLANK_CONTEXT', '--context is blank.');
    const source = await findGatedSource(flags);
    const forge = await openForge(forgeInput(this.host, flags));
    const pullRequest = await this.progress('Finding the pull request', findGatedPullRequest(forge, source));
    if (flags['dry-run']) {
      return this.showPlan([plannedForgeCall(forge, 'POST', `statuses/${pullRequest.headCommit}`)]);
    }
    const { failed, context, 'failure-detail': detail, 'target-url': targetUrl } = flags;
    const outcome = { successful: !failed, detail, context, targetUrl };
    this.show(
      await this.progress('Reporting the status', reportCommitStatus(forge, pullRequest, outcome)),
      ({ commitId, state }) => `${context} is ${state} on ${commitId}.`,
    );
  }
}
