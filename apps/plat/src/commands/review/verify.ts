import { findingsTable } from '../../doctor/examination';
import { receiptExitCode, verifyReceipt } from '../../receipts/verify-receipt';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { logKeyFlag } from '../../sealed-log/log-keys';
import { PlatformCommand } from '../../session/platform-command';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReviewVerify extends PlatformCommand {
  static override summary =
    'Check the receipt of a merge against the repository itself, without trusting the platform';
  static override description =
    prose(`Reads the signed receipt, clones the repository with your own access, and makes the merge again with git. It
checks the proof that the receipt is in your tenant's sealed log, and that the log continues what this client has seen.
Exit code 0: CONFIRMED, all checks were made and hold. 1: REFUTED, a check fails, or the landed commit is not what was
reviewed; or NOT_CONFIRMED, a check could not be made, for example because a conflict was decided by hand, or because
the source branch lacks the commit that the receipt calls reviewed. 3: REFUTED, and the sealed log contradicts what this
client has seen of it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id>',
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url git@git.example.com:acme/app.git --keys keys.json',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    'remote-url': Flags.string({
      description: 'Repository to read (default: the remote that the receipt names)',
      helpValue: '<url>',
    }),
    keys: Flags.string({
      description: 'Trusted keys, as a JSON Web Key Set (default: those of the platform)',
      helpValue: '<file>',
    }),
    'log-key': logKeyFlag(),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewVerify);
    const { api } = await this.platform(flags);
    const verified = await this.host.interruptible(async (interrupted) => {
      const calls = api.interruptedBy(interrupted);
      return verifyReceipt(calls, {
        reviewId: await reviewIdOf(calls, args.review_id),
        remoteUrl: flags['remote-url'],
        keysFile: flags.keys,
        logKeys: flags['log-key'] ?? [],
        configFolder: this.environment.configFolder,
        interrupted,
        progress: this.progress,
      });
    });
    if (!verified.confirmed) this.host.fail(receiptExitCode(verified));
    this.show(verified, ({ findings }) => findingsTable(findings));
    this.terminal.note(`The receipt is ${verified.outcome}.`);
  }
}
