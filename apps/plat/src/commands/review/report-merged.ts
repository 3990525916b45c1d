import { namedRepository } from '../../gate/repository-choice';
import { requireId, reviewIdArgument } from '../../reviews/review-id';
import { reportMerged } from '../../reviews/report-merged';
import { reviewLine } from '../../reviews/review-views';
import { PlatformCommand } from '../../session/platform-command';
import { Flags } from '../../terminal/oclif';
import { withoutUserinfo } from '../../terminal/printable';
import { prose } from '../../terminal/prose';

export class ReviewReportMerged extends PlatformCommand {
  static override summary = 'Report that a review has landed; the platform checks it against the repository';
  static override description =
    prose(`With --build-id, the report of a gate: the review is at MERGE, and the build is its green GATE build. Without,
the reconciliation of a branch that landed past the queue.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url https://git.example.com/acme/app.git --build-id <build_id>',
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url git@git.example.com:acme/app.git',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    'remote-url': Flags.string({
      description: 'Where the merge can be read',
      required: true,
      helpValue: '<url>',
    }),
    'build-id': Flags.string({ description: 'The GATE build of the merge', helpValue: '<build_id>' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewReportMerged);
    const platform = await this.platform(flags);
    const remoteUrl = withoutUserinfo(flags['remote-url']);
    namedRepository(remoteUrl);
    const buildId = flags['build-id'];
    if (buildId !== undefined)
      requireId(buildId, '--build-id', 'plat review record-build <review_id> --gate, which prints it');
    if (flags['dry-run'])
      return this.showPlan([platform.plannedCall('updateReviewStatus', { review_id: args.review_id })]);
    const merged = reportMerged(platform.api, { reviewId: args.review_id, buildId, remoteUrl });
    this.show(await this.progress('Reporting the merge', merged), reviewLine);
  }
}
