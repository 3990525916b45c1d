import { isGateRunLeft } from '../drive/left-gate-run';
import { placeText, readPlace, type ReviewPlace } from '../queue/review-place';
import { reviewIdArgument, reviewIdOf } from '../reviews/review-id';
import { PlatformCommand } from '../session/platform-command';
import { nextStep } from '../terminal/next-step';
import { prose } from '../terminal/prose';
import { timeText } from '../terminal/relative-time';

export class Status extends PlatformCommand {
  static override summary = 'Show where your review is, who is ahead, what blocks it, and the next command';
  static override description =
    prose(`Shows its position in the queue, the review in the slot, open threads, when it will be merged, its last move and
the next command. The estimate is computed from the last merges of this queue.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> feature/42-rate-limits --json',
  ];
  static override args = { review_id: reviewIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Status);
    const { api } = await this.platform(flags);
    const reading = reviewIdOf(api, args.review_id).then((reviewId) => readPlace(api, reviewId));
    const place = await this.withLeftGateRun(await this.progress('Reading the queue', reading));
    this.show(place, (shown) => placeText(shown, timeText(this.terminal.interactive)));
    this.terminal.note(`next: ${place.next}`);
  }

  /** The place, with the drive as the next step if a drive of this checkout left the gate run in the slot. */
  private async withLeftGateRun(place: ReviewPlace): Promise<ReviewPlace> {
    const { slot, targetBranch } = place;
    if (slot?.activity !== 'GATE_RUNNING' || slot.gateRunId === undefined) return place;
    const run = { targetBranch, gateRunId: slot.gateRunId };
    if (!(await isGateRunLeft(process.cwd(), this.environment, run))) return place;
    const next = nextStep(['plat', 'drive', '--target-branch', targetBranch]);
    return { ...place, gateRunLeft: true, next };
  }
}
