import { withoutCredentials } from '@plat/remote';
import { buildIdOf, buildIdOrPiece, newestGateBuild } from '../../build-reports/build-id';
import { namedRepository, originUrl } from '../../checkout/repository-choice';
import { PlatformCommand } from '../../platform/platform-command';
import { withVerdict } from '../../reviews/landed-content';
import { reportMerged } from '../../reviews/report-merged';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { reviewLine } from '../../reviews/review-views';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReviewReportMerged extends PlatformCommand {
  static override summary = 'Report that a review has landed; the platform checks it against the repository';
  static override description =
    prose(`With --build-id, reports the merge of a gate: the review is at MERGE, and the build is its green GATE build;
--gate takes the newest one. Without either, reconciles a branch that landed past the queue.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url https://git.example.com/acme/app.git --build-id <build_id>',
    '<%= config.bin %> <%= command.id %> <review_id> --gate',
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url git@git.example.com:acme/app.git',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    'remote-url': Flags.string({
      description: "Remote with the merge (default: the checkout's origin)",
      helpValue: '<url>',
    }),
    'build-id': Flags.string({
      description: 'The GATE build of the merge: its id, or a part of it',
      helpValue: '<build_id>',
    }),
    gate: Flags.boolean({
      description: 'The merge is that of the newest GATE build that succeeded',
      exclusive: ['build-id'],
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewReportMerged);
    const platform = await this.platform(flags);
    const build = flags['build-id'] === undefined ? undefined : buildIdOrPiece(flags['build-id']);
    const remoteUrl = withoutCredentials(flags['remote-url'] ?? (await originUrl()));
    namedRepository(remoteUrl);
    const reviewId = await reviewIdOf(platform.api, args.review_id);
    const newest = flags.gate ? await newestGateBuild(platform.api, reviewId) : undefined;
    const buildId = build === undefined ? newest : await buildIdOf(platform.api, reviewId, build);
    if (flags['dry-run']) {
      return this.showPlan([platform.plannedCall('updateReviewStatus', { review_id: reviewId })]);
    }
    const merged = reportMerged(platform.api, { reviewId, buildId, remoteUrl }).then((review) =>
      withVerdict(platform.api, review),
    );
    this.show(await this.progress('Reporting the merge', merged), reviewLine);
  }
}
