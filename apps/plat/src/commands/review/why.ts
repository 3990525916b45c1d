import type { ApiClient } from '@plat/api-client';
import { findHeldRun } from '../../drive/left-gate-run';
import { PlatformCommand } from '../../platform/platform-command';
import { nextOfHeldRun } from '../../reviews/held-run';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { readStory, type ReviewStory, storyText } from '../../reviews/review-story';
import { countFlag } from '../../terminal/count-flag';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';
import { timeText } from '../../terminal/relative-time';

export class ReviewWhy extends PlatformCommand {
  static override summary = 'Show what happened to a review, in words';
  static override description =
    prose(`Shows each move with its time, who caused it, the build or the reason, the newest last, and the next
command. Without a review it is the live one of the branch that is checked out.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 0c9a2e11 --json',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    limit: countFlag({ description: 'How many moves, 200 at most (default: 50)', max: 200 }),
    cursor: Flags.string({ description: 'nextCursor of the page before', helpValue: '<cursor>' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewWhy);
    const { api } = await this.platform(flags);
    const { limit, cursor } = flags;
    const reading = reviewIdOf(api, args.review_id).then((reviewId) =>
      readStory(api, { reviewId, limit, cursor }),
    );
    const story = await this.withGateRun(api, await this.progress('Reading the history', reading));
    this.show(story, (shown) => storyText(shown, timeText(this.terminal.interactive)));
    if (story.nextCursor !== undefined) {
      this.terminal.note(nextStep('There are earlier ones: --cursor', [story.nextCursor]));
    }
    this.terminal.note(`next: ${story.next}`);
  }

  /** The story, with the gate run that a review at MERGE waits for, and how to go on with it. */
  private async withGateRun(api: ApiClient, story: ReviewStory): Promise<ReviewStory> {
    const { reviewId, status } = story;
    const gateRun = status === 'MERGE' ? await findHeldRun(api, process.cwd(), { reviewId }) : undefined;
    return gateRun ? { ...story, gateRun, next: nextOfHeldRun(gateRun, reviewId) } : story;
  }
}
