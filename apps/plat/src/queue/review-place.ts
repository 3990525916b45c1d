import { type ApiClient, getReview, type MergeQueueStatus, type Review } from '@plat/api-client';
import { type HeldRun, heldRunText } from '../reviews/held-run';
import { contentNotice, shownStatus } from '../reviews/landed-content';
import { readStory, type ReviewStory, sentence } from '../reviews/review-story';
import { failureText } from '../reviews/review-views';
import { type NextStep, nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { blockedText, estimateText, slotText, type TimeText } from './queue-words';
import { type Entry, type Estimate, readStatusUntil, unlessRefused } from './read-queue';

/** A review that lands earlier. */
interface Ahead {
  reviewId: string;
  name: string;
  /** Absent for the review at MERGE. */
  position?: number;
}

/** Where a review is, and how to go on. */
export interface ReviewPlace {
  reviewId: string;
  name: string;
  status: Review['status'];
  /** Whether the landed content is the reviewed one; present if it is MERGED. */
  contentVerdict?: Review['contentVerdict'];
  sourceBranch: string;
  targetBranch: string;
  repository?: string;
  /** Counted from 1; present while it waits. */
  position?: number;
  since?: string;
  /** Present while it waits: who holds the slot, and who waits before it. */
  ahead?: Ahead[];
  blockedBy?: Entry['blockedBy'];
  estimate?: Estimate;
  /** Present at READY and MERGE. */
  slot?: MergeQueueStatus['slot'];
  pace?: MergeQueueStatus['pace'];
  /** The gate run in the slot, while it has no verdict, and what became of its drive. */
  gateRun?: HeldRun;
  /** The last move. */
  last?: ReviewStory['events'][number];
  failure?: ReviewStory['failure'];
  next: NextStep;
}

/** Reads where a review is. Without the right to read the queue, it lacks what only the queue knows. */
export async function readPlace(api: ApiClient, reviewId: string): Promise<ReviewPlace> {
  const { events, failure, next, contentVerdict } = await readStory(api, { reviewId, limit: 1 });
  const { name, status, sourceBranch, targetBranch, repository } = await getReview(api, { reviewId });
  const about = { reviewId, name, status, sourceBranch, targetBranch, repository };
  const place: ReviewPlace = { ...about, contentVerdict, last: events.at(-1), failure, next };
  if (status !== 'READY' && status !== 'MERGE') return place;
  const isOwn = (entry: Entry): boolean => entry.reviewId === reviewId;
  const reading = readStatusUntil(api, { targetBranch, repository }, isOwn);
  const queue = await unlessRefused(reading);
  if (!queue) return place;
  const { slot, pace, entries } = queue;
  if (slot.review?.reviewId === reviewId) {
    return { ...place, since: slot.since, estimate: slot.estimate, slot, pace };
  }
  const own = entries.find(isOwn);
  if (!own) return place;
  const { position, since, blockedBy, estimate } = own;
  const ahead = aheadOf(own, queue);
  const waiting = { position, since, ahead, blockedBy, estimate, slot, pace };
  return { ...place, ...waiting, next: nextOf(about, own, queue) };
}

function aheadOf({ position }: Entry, { slot, entries }: MergeQueueStatus): Ahead[] {
  const held = slot.review ? [{ reviewId: slot.review.reviewId, name: slot.review.name }] : [];
  const waiting = entries
    .filter((entry) => entry.position < position)
    .map((entry) => ({ reviewId: entry.reviewId, name: entry.name, position: entry.position }));
  return [...held, ...waiting];
}

/** The next command for a review that waits. */
function nextOf({ reviewId }: Pick<Review, 'reviewId'>, own: Entry, { slot }: MergeQueueStatus): NextStep {
  if (own.blockedBy) return nextStep('plat review comments', [reviewId], ', and resolve its open threads');
  if (!slot.review && own.position === 1) return nextStep('plat drive');
  if (slot.review && slot.health === 'STUCK') return nextStep('plat review why', [slot.review.reviewId]);
  return nextStep('plat review wait', [reviewId]);
}

/** Most reviews ahead that a person is shown. */
const AHEAD_SHOWN = 5;

/** Where a review is, for a person. */
export function placeText(place: ReviewPlace, time: TimeText): string {
  const { reviewId, name, sourceBranch, targetBranch, position, since, slot, pace, last } = place;
  const at = position === undefined ? '' : `, place ${position} of the queue`;
  const from = since === undefined ? '' : `, since ${time(since)}`;
  const lines: [string, string | undefined][] = [
    ['status', `${shownStatus(place)}${at}${from}`],
    ['content', contentNotice(place)],
    ['branch', `${sourceBranch} onto ${targetBranch}`],
    ['ahead', place.ahead && aheadText(place.ahead)],
    ['blocked', blockedText(place)],
    ['slot', slot && pace && slotText(slot, pace, time)],
    ['drive', place.gateRun && heldRunText(place.gateRun, time)],
    ['estimate', place.estimate && estimateText(place.estimate, time)],
    ['last', last && `${time(last.at)}: ${sentence(last)}`],
  ];
  const shown = lines.flatMap(([title, text]) => (text === undefined ? [] : [`${title.padEnd(8)}  ${text}`]));
  const why = place.failure ? ['', failureText(place.failure)] : [];
  return [...[`${name} (${reviewId})`, ...shown].map(printableLine), ...why].join('\n');
}

function aheadText(ahead: readonly Ahead[]): string {
  if (ahead.length === 0) return 'no one';
  const shown = ahead
    .slice(0, AHEAD_SHOWN)
    .map(({ name, position }) => `${position === undefined ? 'at MERGE' : position}: "${name}"`);
  const left = ahead.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}
