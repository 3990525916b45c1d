import { jobIdArgument } from '../../../jobs/job-id';
import { jobsOf } from '../../../jobs/job-store';
import { PlatCommand } from '../../../terminal/plat-command';

export class JobOutput extends PlatCommand {
  static override summary = 'Show what a job has printed so far, both streams';
  static override examples = [
    '<%= config.bin %> <%= command.id %> <job_id>',
    '<%= config.bin %> <%= command.id %> <job_id> --json',
  ];
  static override args = { job_id: jobIdArgument };

  override async run(): Promise<void> {
    const { args } = await this.parse(JobOutput);
    const jobs = jobsOf(this.environment);
    const { output, bytesLeftOut } = await jobs.output(args.job_id);
    const shown = bytesLeftOut === undefined ? { output } : { output, bytesLeftOut };
    this.show({ ...(await jobs.get(args.job_id)), ...shown }, () => output.replace(/\n$/, ''));
    if (bytesLeftOut !== undefined) {
      this.terminal.note(`Only the end is shown: ${bytesLeftOut} bytes before it are left out.`);
    }
  }
}
