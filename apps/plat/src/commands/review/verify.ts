import { findingsTable } from '../../doctor/examination';
import { PlatformCommand } from '../../platform/platform-command';
import { readCallerWords } from '../../receipts/caller-words';
import { landingLine, receiptExitCode, verifyReceipt } from '../../receipts/verify-receipt';
import { meantReview, reviewIdArgument } from '../../reviews/review-id';
import { logKeyFlag } from '../../sealed-log/log-keys';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReviewVerify extends PlatformCommand {
  static override summary =
    'Check the receipt of a merge against the repository itself, without trusting the platform';
  static override description =
    prose(`Reads the signed receipt, clones the repository with your own access, and makes the merge again with git. It
checks that the receipt is about the review and the repository that you named, that it is in your tenant's sealed log,
and that the log continues what this client has seen. Exit code 0: CONFIRMED, all checks were made and hold. 1: REFUTED,
a check fails, the receipt is of another branch or repository, or the landed commit is not what was reviewed; or
NOT_CONFIRMED, a check could not be made, for example because git finds conflicts that a person decided (BY_HAND),
whose places are named, nothing names the repository, or nothing confirms the commit that the receipt calls reviewed. 3: REFUTED, and the sealed log contradicts
what this client has seen of it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id>',
    '<%= config.bin %> <%= command.id %> feature/42-rate-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> <review_id> --remote-url git@git.example.com:acme/app.git --keys keys.json',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    repository: Flags.string({
      description:
        "Repository that the receipt must name (default: that of --remote-url, or the checkout's origin)",
      helpValue: '<remote>',
    }),
    'target-branch': Flags.string({
      description: 'Target branch that the receipt must name',
      helpValue: '<branch>',
    }),
    'source-commit': Flags.string({
      description: 'Commit that was reviewed, which the receipt must name',
      helpValue: '<commit>',
    }),
    // In the group of the terminal, so no tool has it: git asks helpers of the person's for a sign-in there, also over http.
    'remote-url': Flags.string({
      description: 'Remote to read the repository from (default: the one that the receipt names)',
      helpValue: '<url>',
      helpGroup: 'TERMINAL',
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
      const words = await readCallerWords(flags, interrupted);
      return verifyReceipt(calls, {
        subject: { ...words, ...(await meantReview(calls, args.review_id)) },
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
    this.terminal.note(landingLine(verified));
    this.terminal.note(`The receipt is ${verified.outcome}.`);
  }
}
