import { jobsOf } from '../../../jobs/job-store';
import { knownEnvironmentLeases, requireUnclaimed } from '../../../leases/claims';
import { Failure } from '../../../terminal/failure';
import { nextStep } from '../../../terminal/next-step';
import { Args, Flags } from '../../../terminal/oclif';
import { passedNames, passEnvFlag } from '../../../terminal/pass-env';
import { PlatCommand } from '../../../terminal/plat-command';
import { prose } from '../../../terminal/prose';
import { shellQuote } from '../../../terminal/shell-quote';

export class JobStart extends PlatCommand {
  static override summary = 'Run a command in the background, in this folder';
  static override description =
    prose(`The command runs on after this one has ended. It is refused while the environment or its worktree is
claimed.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> -- npm test',
    '<%= config.bin %> <%= command.id %> --json -- make --jobs 4 check',
  ];
  static override strict = false;
  static override usage = ['<%= command.id %> [--json] [--pass-env <name>...] [--dry-run] -- COMMAND...'];
  static override args = {
    command: Args.string({ description: 'Program and its arguments, behind --', ignoreStdin: true }),
  };
  static override flags = {
    'pass-env': passEnvFlag,
    'dry-run': Flags.boolean({ description: 'Print the command, start nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(JobStart);
    const passed = passedNames(this.host, flags);
    const command = this.command();
    const leases = knownEnvironmentLeases(this.environment);
    await requireUnclaimed(leases === undefined ? [] : [leases]);
    if (flags['dry-run']) return this.showPlan([shellQuote(command)]);
    // An interruption of this command must not leave a process without a record.
    const job = await this.host.interruptible((interrupted) => {
      interrupted.throwIfAborted();
      return jobsOf(this.environment).start({ command, folder: process.cwd(), passed });
    });
    this.show(job, ({ jobId }) => `${jobId} runs. Next: ${nextStep('plat exec job output', [jobId])}`);
  }

  /** The words as they were typed, because the parser might take some of them for its own. */
  private command(): string[] {
    const end = this.argv.indexOf('--');
    const command = end < 0 ? [] : this.argv.slice(end + 1);
    if (command.length > 0) return command;
    throw new Failure('COMMAND_REQUIRED', 'No command stands behind --.', {
      next: 'plat exec job start -- <program> <argument>...',
    });
  }
}
