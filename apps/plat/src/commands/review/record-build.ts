import { createReviewBuild } from '@plat/api-client';
import { openCheckout, requireHeadCommit } from '../../gate/checkout';
import { buildReport } from '../../reviews/build-report';
import { buildLine } from '../../reviews/build-view';
import { reviewIdArgument } from '../../reviews/review-id';
import { PlatformCommand } from '../../session/platform-command';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReviewRecordBuild extends PlatformCommand {
  static override summary = 'Record the outcome of a build of a review';
  static override description =
    prose(`A recorded build moves the review: to READY, or with --failed to FAILED. With --gate it is the build of the
prospective merge: a failed one moves the review to FAILED, a successful one is what report-merged names.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> --version 1.4.0-snapshot-20260102030405',
    '<%= config.bin %> <%= command.id %> <review_id> --gate --commit-id $(git rev-parse HEAD) --json',
    '<%= config.bin %> <%= command.id %> <review_id> --gate --failed --failure-detail "3 tests failed"',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    gate: Flags.boolean({ description: 'The build of the prospective merge' }),
    failed: Flags.boolean({ description: 'The build failed' }),
    'failure-detail': Flags.string({ description: 'Why it failed', helpValue: '<text>' }),
    'commit-id': Flags.string({
      description: 'Commit that was built (default: the one checked out)',
      helpValue: '<commit>',
    }),
    version: Flags.string({ description: 'Version that was built; not with --gate', helpValue: '<version>' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewRecordBuild);
    const platform = await this.platform(flags);
    const { gate, failed, version, 'failure-detail': failureDetail } = flags;
    const commitId = flags['commit-id'] ?? (await requireHeadCommit(await openCheckout(process.cwd())));
    const report = buildReport({ gate, failed, failureDetail, commitId, version });
    if (flags['dry-run'])
      return this.showPlan([platform.plannedCall('createReviewBuild', { review_id: args.review_id })]);
    const build = createReviewBuild(platform.api, { reviewId: args.review_id, body: report });
    this.show(await this.progress('Recording the build', build), buildLine);
  }
}
