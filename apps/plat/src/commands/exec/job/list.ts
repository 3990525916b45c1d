import { jobTable } from '../../../jobs/job';
import { jobsOf } from '../../../jobs/job-store';
import { PlatCommand } from '../../../terminal/plat-command';

export class JobList extends PlatCommand {
  static override summary = 'List the jobs of this environment, oldest first';
  static override examples = ['<%= config.bin %> <%= command.id %> --json'];

  override async run(): Promise<void> {
    await this.parse(JobList);
    this.show(await jobsOf(this.environment).list(), jobTable);
  }
}
