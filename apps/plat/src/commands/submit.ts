import { withoutCredentials } from '@plat/remote';
import { openCheckout, requireCleanTree, requireHeadCommit } from '../checkout/checkout';
import { originUrl } from '../checkout/repository-choice';
import { targetBranchFlag } from '../checkout/target-branch-flag';
import { unreadableWarning } from '../origin/readable-by-service';
import { PlatformCommand } from '../platform/platform-command';
import { commandWith } from '../reviews/create-review';
import { isDivergent } from '../reviews/landed-content';
import { requireOwnCommits } from '../reviews/own-commits';
import { proposal } from '../reviews/proposal';
import { requireReached, waitForStatus } from '../reviews/wait-for-status';
import { wayOn } from '../reviews/way-on';
import { planSubmission } from '../submit/planned-submission';
import { submissionText } from '../submit/submission-view';
import { submit } from '../submit/submit';
import { milliseconds } from '../terminal/duration';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { Flags } from '../terminal/oclif';
import { printableLine } from '../terminal/printable';
import { prose } from '../terminal/prose';
import { noteUndoneOf } from '../undone/note-undone';

/** A default of the flag itself would count as given without `--wait`. */
const WAIT_DEFAULT = '1h';

export class Submit extends PlatformCommand {
  static override summary = 'Push your branch, create its review if there is none, and record its build';
  static override description =
    prose(`Pushes the commit that is checked out to origin's branch of the same name, and never forces. The review is the
live one of the branch and the target branch; if there is none, it is created. The build that is recorded is the last plat
build of this commit that succeeded in this checkout, without changes in it; --version names one that ran elsewhere. What
was done before is not repeated, so the command is the same for each new commit.

Exit code 0: the review has what it needs to wait in its queue, or with --wait it is MERGED. 1: a step was refused, or the
review waits for a build that is not known (BUILD_NEEDED), or with --wait it came to another end. 4: it is MERGED, and its
landed content is DIVERGENT, which is not what was reviewed. 124: the time is over.`);
  static override examples = [
    'plat build && <%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --version 1.4.0-snapshot-20260102030405 --wait --timeout 30m',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = {
    name: Flags.string({
      description:
        'Name of a new review; becomes the squash-merge message (default: the subject of the last commit)',
      helpValue: '<text>',
    }),
    'target-branch': targetBranchFlag('Branch to merge onto'),
    version: Flags.string({
      description: 'Version of a successful build of this commit that ran elsewhere',
      helpValue: '<version>',
    }),
    wait: Flags.boolean({ description: 'Wait until the review is MERGED' }),
    timeout: Flags.string({
      description: `Longest time to wait, such as 90s or 1h30m (default: ${WAIT_DEFAULT})`,
      dependsOn: ['wait'],
      helpValue: '<duration>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the push and the calls, do nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Submit);
    const platform = await this.platform(flags);
    const timeoutMilliseconds = milliseconds(flags.timeout ?? WAIT_DEFAULT, '--timeout');
    const git = await openCheckout(process.cwd());
    const body = await proposal(flags);
    await requireOwnCommits(git, body);
    const note = (line: string) => this.terminal.note(printableLine(line));
    const commitId = await requireHeadCommit(git);
    const command = commandWith(nextStep('plat submit'), {
      'target-branch': flags['target-branch'],
      alias: flags.alias,
    });
    const { api } = platform;
    const { version } = flags;
    const submission = { git, api, body, commitId, version, command, progress: this.progress, note };
    if (flags['dry-run']) return this.showPlan(await planSubmission(platform, submission));
    await requireCleanTree(git).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      note(`${error.message} They are not part of what is submitted.`);
    });
    const warning = await this.progress(
      'Asking whether the platform can read the repository',
      unreadableWarning(api, {
        repository: withoutCredentials(await originUrl()),
        targetBranch: body.targetBranch,
      }),
    );
    if (warning !== undefined) note(warning);
    const submitted = await submit(submission);
    const { reviewId } = submitted.review;
    await noteUndoneOf(submitted.review, git, { api, progress: this.progress, note });
    if (!flags.wait) {
      this.show(submitted, submissionText);
      return note(`next: ${wayOn(submitted.review)}`);
    }
    const until = ['MERGED'] as const;
    const ended = await this.host.interruptible((interrupted) =>
      this.progress(
        'Waiting for MERGED',
        waitForStatus(api, { review: reviewId, until, timeoutMilliseconds, interrupted }),
      ),
    );
    requireReached(ended, until);
    this.show({ ...submitted, review: ended }, submissionText);
    if (isDivergent(ended)) this.host.fail(ExitCode.divergent);
  }
}
