import { checkoutVersion } from '../../build/checkout-version';
import { recordedBuildText } from '../../build-reports/build-view';
import { recordBuild, reportOf } from '../../build-reports/recorded-build';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { Flags } from '../../terminal/oclif';
import { printableLine } from '../../terminal/printable';
import { prose } from '../../terminal/prose';

export class ReviewRecordBuild extends PlatformCommand {
  static override summary = 'Record the outcome of a build of a review';
  static override description =
    prose(`A recorded build moves the review: to READY, or with --failed to FAILED. With --gate it is the build of the
prospective merge: a failed one moves the review to FAILED; a successful one is named by report-merged and pushed by
plat exec push. Its success must rest on a gate of that very commit: one that passed in this checkout (plat build --gate
notes how it ended) or a gate run PASSED that the platform knows. After a gate of the commit that failed, only --failed or
another gate will do. For a gate that ran elsewhere, --vouch: the build then says that it rests on your word.

The checked-out commit must be the tip of the review's source branch on origin, or with --gate the merge of it that
gate-merge made; --commit-id names any other commit. The command prints the review's status after the build.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id>',
    '<%= config.bin %> <%= command.id %> <review_id> --version 1.4.0-snapshot-20260102030405',
    '<%= config.bin %> <%= command.id %> <review_id> --gate',
    '<%= config.bin %> <%= command.id %> <review_id> --gate --commit-id $(git rev-parse HEAD) --vouch --json',
    '<%= config.bin %> <%= command.id %> <review_id> --gate --failed --failure-detail "3 tests failed"',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    gate: Flags.boolean({ description: 'The build of the prospective merge' }),
    failed: Flags.boolean({ description: 'The build failed' }),
    vouch: Flags.boolean({
      description:
        'With --gate: you vouch that the gate of the commit has passed elsewhere; shown with the build',
    }),
    'failure-detail': Flags.string({ description: 'Why it failed', helpValue: '<text>' }),
    'commit-id': Flags.string({
      description: 'Commit that was built (default: the one checked out)',
      helpValue: '<commit>',
    }),
    version: Flags.string({
      description: "Version that was built; not with --gate (default: a snapshot of the checkout's VERSION)",
      helpValue: '<version>',
    }),
    'dry-run': Flags.boolean({ description: 'Check the commit, print the call, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewRecordBuild);
    const platform = await this.platform(flags);
    const { gate, failed, vouch, 'failure-detail': failureDetail, 'commit-id': commitId } = flags;
    const folder = process.cwd();
    const version = flags.version ?? (gate ? undefined : await checkoutVersion(folder, new Date()));
    const note = (line: string) => this.terminal.note(printableLine(line));
    const { progress } = this;
    const about = { gate, failed, vouch, failureDetail, commitId, version };
    const reviewId = await reviewIdOf(platform.api, args.review_id);
    const build = { reviewId, ...about, folder, note, progress };
    if (flags['dry-run']) {
      await reportOf(platform.api, build);
      return this.showPlan([platform.plannedCall('createReviewBuild', { review_id: reviewId })]);
    }
    this.show(await recordBuild(platform.api, build), recordedBuildText);
  }
}
