import { shellWord } from '../parts/shell-word';
import { activityText, slotCommand } from '../queues/queue-words';
import type { QueueEntry, ReviewEvent } from '../reads/shapes';
import type { YourReview } from './read-yours';

/** The place of a review in its queue; undefined if it does not wait. */
export function entryOf({ review, queue }: YourReview): QueueEntry | undefined {
  return queue?.entries.find(({ reviewId }) => reviewId === review.reviewId);
}

/** The reviews before it: the one in the slot and those that entered earlier, the next one first. */
export function namesAhead(your: YourReview): { reviewId: string; name: string }[] {
  const entry = entryOf(your);
  if (entry === undefined || your.queue === undefined) return [];
  const earlier = your.queue.entries.filter(({ position }) => position < entry.position);
  const holder = your.queue.slot.review;
  return holder === undefined ? earlier : [holder, ...earlier];
}

/** Describes what the review waits for. */
export function waitsFor(your: YourReview): string {
  const { review, queue } = your;
  const entry = entryOf(your);
  switch (review.status) {
    case 'OPEN':
      return 'A green build.';
    case 'FAILED':
      return 'A change of its branch, and a green build of that.';
    case 'MERGE':
      return queue === undefined ? 'The report of its merge.' : activityText(queue.slot.activity);
    case 'READY':
      if (entry?.blockedBy !== undefined) return `Answers: ${threads(entry.blockedBy.openThreads)} open.`;
      if (namesAhead(your).length > 0) return 'Those ahead of it.';
      return queue === undefined ? 'Its turn.' : activityText(queue.slot.activity);
    default:
      return '';
  }
}

const threads = (count: number): string => (count === 1 ? 'one thread is' : `${count} threads are`);

/** The next command for its author. */
export function nextCommand(your: YourReview): string {
  const { review, queue } = your;
  const { reviewId, status } = review;
  switch (status) {
    case 'OPEN':
    case 'FAILED':
      return `plat review record-build ${reviewId}`;
    case 'READY': {
      if (entryOf(your)?.blockedBy !== undefined) return `plat review comments ${reviewId}`;
      const isNext = namesAhead(your).length === 0 && queue !== undefined;
      return (isNext && slotCommand(queue)) || `plat review wait ${reviewId}`;
    }
    case 'MERGE':
      if (queue?.slot.activity === 'GATE_RUNNING') return `plat review wait ${reviewId}`;
      return `plat drive --target-branch ${shellWord(review.targetBranch)}`;
    default:
      return `plat review verify ${reviewId}`;
  }
}

/** A move in words, without its time and who made it. An unknown cause of a newer service is shown as it is. */
export function moveText({ cause, from, to }: ReviewEvent): string {
  switch (cause) {
    case 'CREATED':
      return 'Created';
    case 'BUILD_SUCCEEDED':
      return 'A build succeeded; it entered the queue';
    case 'BUILD_FAILED':
      return from === 'READY' ? 'A build failed; it left the queue' : 'A build failed';
    case 'GATE_FAILED':
      return 'The gate failed; it left the slot';
    case 'PROMOTED':
      return 'Promoted; it took the slot';
    case 'PROMOTED_BY_OVERRIDE':
      return 'Promoted over its open threads';
    case 'REQUEUED':
      return 'Put back at the tail of its queue';
    case 'MERGED':
      return 'Merged through the queue';
    case 'RECONCILED':
      return 'Found on its target, merged without the queue';
    case 'CLOSED':
      return 'Closed without a merge';
    default:
      return `${String(cause)}: ${to}`;
  }
}
