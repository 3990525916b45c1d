import { withoutCredentials } from '@plat/remote';
import { openCheckout } from '../../checkout/checkout';
import { originUrl } from '../../checkout/repository-choice';
import { targetBranchFlag } from '../../checkout/target-branch-flag';
import { unreadableWarning } from '../../origin/readable-by-service';
import { PlatformCommand } from '../../platform/platform-command';
import { noteMissingBranches } from '../../reviews/branches-on-origin';
import { commandWith, createReview } from '../../reviews/create-review';
import { requireOwnCommits } from '../../reviews/own-commits';
import { proposal } from '../../reviews/proposal';
import { reviewLine } from '../../reviews/review-views';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { printableLine } from '../../terminal/printable';
import { noteUndone } from '../../undone/note-undone';

export class ReviewCreate extends PlatformCommand {
  static override summary = 'Propose a source branch onto a target branch';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --name "Add rate limits" --source-branch feature/42-limits --target-branch main',
    '<%= config.bin %> <%= command.id %> --name "Fix the clock" --target-branch main --json',
  ];
  static override flags = {
    name: Flags.string({
      description: 'Name; becomes the squash-merge message (default: the subject of the last commit)',
      helpValue: '<text>',
    }),
    'target-branch': targetBranchFlag('Branch to merge onto'),
    'source-branch': Flags.string({
      description: 'Branch to merge (default: the one checked out)',
      helpValue: '<branch>',
    }),
    repository: Flags.string({
      description: "Remote of the repository (default: the checkout's origin)",
      helpValue: '<remote>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReviewCreate);
    const platform = await this.platform(flags);
    const body = await proposal(flags);
    if (flags.repository === undefined) await requireOwnCommits(await openCheckout(process.cwd()), body);
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('createReview')]);
    const command = commandWith(nextStep('plat review create'), {
      'target-branch': flags['target-branch'],
      'source-branch': flags['source-branch'],
      repository: flags.repository,
      alias: flags.alias,
    });
    const created = createReview(platform.api, body, command);
    this.show(await this.progress('Creating the review', created), reviewLine);
    if (flags.repository === undefined) {
      for (const line of await noteMissingBranches(body)) this.terminal.note(line);
    }
    // The identity in the body may lack a suffix that the server needs.
    const repository = withoutCredentials(flags.repository ?? (await originUrl()));
    const looked = unreadableWarning(platform.api, { repository, targetBranch: body.targetBranch });
    const warning = await this.progress('Asking whether the platform can read the repository', looked);
    if (warning !== undefined) this.terminal.note(printableLine(warning));
    if (flags.repository === undefined) {
      const { api } = platform;
      const note = (line: string) => this.terminal.note(line);
      const noting = { api, texts: () => Promise.resolve([body.name]), progress: this.progress, note };
      await noteUndone(await openCheckout(process.cwd()), body, noting);
    }
  }
}
