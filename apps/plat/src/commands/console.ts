import { chooseRepository } from '../checkout/repository-choice';
import { consoleAddress } from '../console/console-address';
import { browserFlag, openConsole } from '../console/show-console';
import { PlatformCommand } from '../platform/platform-command';
import { Failure } from '../terminal/failure';
import { Args, Flags } from '../terminal/oclif';
import { prose } from '../terminal/prose';

const PAGES = ['yours', 'queues', 'queue', 'statistics', 'releases', 'gate-runs', 'audit'] as const;
type Page = (typeof PAGES)[number];

export class Console extends PlatformCommand {
  static override summary = 'Open the console of the platform in a browser, at a page';
  static override description =
    prose(`Shows the address, and opens it if the command runs on a terminal with a browser. You sign in there
yourself. The queue and its statistics are those of --target-branch in the repository of the checkout, or in --repository.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> queue --target-branch main',
    '<%= config.bin %> <%= command.id %> audit --no-browser --json',
  ];
  static override args = {
    page: Args.string({
      description: 'Page to open',
      options: [...PAGES],
      default: 'yours',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    'target-branch': Flags.string({ description: 'Branch of the queue', helpValue: '<branch>' }),
    repository: Flags.string({
      description: "Remote of the queue's repository (default: the checkout's origin)",
      helpValue: '<remote>',
    }),
    browser: browserFlag,
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Console);
    const { alias } = await this.platform(flags);
    const name = args.page as Page;
    const query = name === 'queue' || name === 'statistics' ? await queueOf(flags) : {};
    const address = await this.progress('Reading the platform', consoleAddress(alias, { name, query }));
    const mayOpen = flags.browser && this.terminal.interactive && this.environment.hasDisplay;
    this.show(openConsole(address, mayOpen), (shown) => shown.address);
  }
}

/** @throws Failure NO_TARGET_BRANCH, NOT_A_CHECKOUT, NO_REPOSITORY */
async function queueOf(flags: {
  'target-branch'?: string | undefined;
  repository?: string | undefined;
}): Promise<Record<string, string>> {
  const { 'target-branch': targetBranch, repository } = flags;
  if (targetBranch === undefined) {
    throw new Failure('NO_TARGET_BRANCH', 'A queue is that of a target branch, and none is named.', {
      next: 'repeat the command with --target-branch',
    });
  }
  return { targetBranch, repository: await chooseRepository(repository) };
}
