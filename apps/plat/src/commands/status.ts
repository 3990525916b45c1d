import { type ApiClient, getReview } from '@plat/api-client';
import { checkoutHere } from '../checkout/checkout-here';
import { findHeldRun } from '../drive/left-gate-run';
import { PlatformCommand } from '../platform/platform-command';
import { placeText, readPlace, type ReviewPlace } from '../queue/review-place';
import { nextOfHeldRun } from '../reviews/held-run';
import { reviewIdArgument, reviewIdOf } from '../reviews/review-id';
import { prose } from '../terminal/prose';
import { timeText } from '../terminal/relative-time';
import { noteUndoneOf } from '../undone/note-undone';

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
    const place = await this.withGateRun(api, await this.progress('Reading the queue', reading));
    this.show(place, (shown) => placeText(shown, timeText(this.terminal.interactive)));
    await this.noteUndone(api, place);
    this.terminal.note(`next: ${place.next}`);
  }

  /** Notes what the review would take back, if this is a checkout of its repository and it has not landed. */
  private async noteUndone(api: ApiClient, { reviewId, status }: ReviewPlace): Promise<void> {
    if (status === 'MERGED' || status === 'CLOSED') return;
    const review = await getReview(api, { reviewId });
    const here = await checkoutHere();
    if (here === undefined || here.repository !== review.repository) return;
    const note = (line: string) => this.terminal.note(line);
    await noteUndoneOf(review, here.git, { api, progress: this.progress, note });
  }

  /** The place, with what is known about the drive that began the gate run in the slot. */
  private async withGateRun(api: ApiClient, place: ReviewPlace): Promise<ReviewPlace> {
    const { slot, reviewId, next } = place;
    if (slot?.activity !== 'GATE_RUNNING' || slot.gateRunId === undefined) return place;
    const gateRun = await findHeldRun(api, process.cwd(), { gateRunId: slot.gateRunId });
    if (!gateRun) return place;
    const isOwn = slot.review?.reviewId === reviewId;
    const isFree = gateRun.drive === 'ENDED';
    return { ...place, gateRun, next: isOwn || isFree ? nextOfHeldRun(gateRun, reviewId) : next };
  }
}
