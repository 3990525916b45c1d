import { consoleAddress } from '../../console/console-address';
import { browserFlag, openConsole } from '../../console/show-console';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';

export class ReviewOpen extends PlatformCommand {
  static override summary = 'Open a review in the console of the platform';
  static override description =
    'Shows the address, and opens it if the command runs on a terminal with a browser. You sign in there yourself.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 0c9a2e11 --no-browser',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = { browser: browserFlag };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewOpen);
    const { api, alias } = await this.platform(flags);
    const addressing = reviewIdOf(api, args.review_id).then((reviewId) =>
      consoleAddress(alias, { name: 'review', reviewId, query: {} }),
    );
    const address = await this.progress('Reading the platform', addressing);
    const mayOpen = flags.browser && this.terminal.interactive && this.environment.hasDisplay;
    this.show(openConsole(address, mayOpen), (shown) => shown.address);
  }
}
