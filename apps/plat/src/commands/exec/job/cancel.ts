import { jobIdArgument } from '../../../jobs/job-id';
import { jobsOf } from '../../../jobs/job-store';
import { PlatCommand } from '../../../terminal/plat-command';

export class JobCancel extends PlatCommand {
  static override summary = 'End a job and everything it started';
  static override description = 'Its processes are asked to end, and stopped after five seconds.';
  static override examples = ['<%= config.bin %> <%= command.id %> <job_id> --json'];
  static override args = { job_id: jobIdArgument };

  override async run(): Promise<void> {
    const { args } = await this.parse(JobCancel);
    const cancelled = jobsOf(this.environment).cancel(args.job_id);
    this.show(
      await this.progress('Ending the job', cancelled),
      ({ jobId, status }) => `${jobId} is ${status}.`,
    );
  }
}
