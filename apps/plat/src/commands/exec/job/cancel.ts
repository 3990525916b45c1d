import { jobIdArgument } from '../../../jobs/job-id';
import { jobsOf } from '../../../jobs/job-store';
import { Flags } from '../../../terminal/oclif';
import { PlatCommand } from '../../../terminal/plat-command';

export class JobCancel extends PlatCommand {
  static override summary = 'End a job and all processes that it started';
  static override description = 'Its processes get SIGTERM, and SIGKILL after five seconds.';
  static override examples = ['<%= config.bin %> <%= command.id %> <job_id> --json'];
  static override args = { job_id: jobIdArgument };
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Print the job, end nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(JobCancel);
    const jobs = jobsOf(this.environment);
    if (flags['dry-run']) {
      const { pid, status } = await jobs.get(args.job_id);
      return this.showPlan(status === 'RUNNING' ? [`kill -TERM -${pid}`] : []);
    }
    const cancelled = jobs.cancel(args.job_id);
    this.show(
      await this.progress('Ending the job', cancelled),
      ({ jobId, status }) => `${jobId} is ${status}.`,
    );
  }
}
