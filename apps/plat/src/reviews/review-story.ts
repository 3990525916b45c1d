import {
  type ApiClient,
  type Build,
  getReview,
  getReviewHistory,
  listReviewBuilds,
  type MergeReceipt,
  type Review,
  type ReviewHistory,
} from '@plat/api-client';
import { type NextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { landedUndoneLines, readLandedUndone } from '../undone/landed-undone';
import { type HeldRun, heldRunText } from './held-run';
import { contentNotice, withVerdict } from './landed-content';
import { type ReviewFailure, withFailure } from './review-failure';
import { failureText } from './review-views';
import { wayOn } from './way-on';

/** A move; `vouched` if its GATE build rests on a person's word alone. */
type ReviewEvent = ReviewHistory['events'][number] & Pick<Build, 'vouched'>;

/** The moves of a review, oldest first, its status, and the next step. */
export interface ReviewStory {
  reviewId: string;
  name: string;
  status: Review['status'];
  /** Whether the landed content is the reviewed one; present if it is MERGED. */
  contentVerdict?: Review['contentVerdict'];
  /** The work that it took back of earlier landings, and later ones of it; present if it is MERGED and has a receipt. */
  undoneWork?: MergeReceipt['undoneWork'];
  /** The newest moves, or those below a cursor. */
  events: ReviewEvent[];
  /** Absent if the events begin with the creation. */
  nextCursor?: string;
  /** Present while the review is gated: the gate run, and what became of its drive. */
  gateRun?: HeldRun;
  /** Present while the review is FAILED. */
  failure?: ReviewFailure;
  next: NextStep;
}

export interface StoryPage {
  reviewId: string;
  /** How many moves; the platform's own default if absent. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export async function readStory(
  api: ApiClient,
  { reviewId, limit, cursor }: StoryPage,
): Promise<ReviewStory> {
  const query = { limit: limit?.toString(), cursor };
  const { events, nextCursor } = await getReviewHistory(api, { reviewId, query });
  const read = await withVerdict(api, await getReview(api, { reviewId }));
  const { failure, ...review } = await withFailure(api, read);
  const { name, status, contentVerdict } = review;
  const vouched = await withVouches(api, reviewId, events.toReversed());
  return {
    reviewId,
    name,
    status,
    contentVerdict,
    undoneWork: await readLandedUndone(api, review),
    events: vouched,
    nextCursor,
    failure,
    next: wayOn(review),
  };
}

/** The moves, each with whether its build is vouched for. */
async function withVouches(
  api: ApiClient,
  reviewId: string,
  events: readonly ReviewEvent[],
): Promise<ReviewEvent[]> {
  // Only a merge through the queue rests on the success of a GATE build.
  if (!events.some(({ cause }) => cause === 'MERGED')) return [...events];
  const builds = await listReviewBuilds(api, { reviewId });
  const vouched = new Set(builds.filter((build) => build.vouched).map(({ buildId }) => buildId));
  return events.map((event) =>
    event.buildId !== undefined && vouched.has(event.buildId) ? { ...event, vouched: true } : event,
  );
}

/** The story for a person: one move a line, the newest last, then why the review is FAILED. */
export function storyText(story: ReviewStory, time: (at: string) => string): string {
  const { reviewId, name, events, failure, gateRun, undoneWork } = story;
  const notice = contentNotice(story);
  const times = events.map(({ at }) => time(at));
  const width = Math.max(0, ...times.map(({ length }) => length));
  const lines = events.map((event, n) => `${times[n]!.padEnd(width)}  ${sentence(event)}`);
  const head = `${name} (${reviewId})`;
  const warning = notice === undefined ? [] : [notice];
  const gate = gateRun === undefined ? [] : [`Its gate: ${heldRunText(gateRun, time)}.`];
  return [
    ...[head, ...lines, ...gate, ...warning].map(printableLine),
    ...(undoneWork ? landedUndoneLines(undoneWork) : []),
    ...(failure ? ['', failureText(failure)] : []),
  ].join('\n');
}

/** Describes a move. */
export function sentence(event: ReviewEvent): string {
  const { cause, from, to, actorUsername: actor, buildId, reason } = event;
  const by = `by ${actor}`;
  const reported = `reported ${by}`;
  switch (cause) {
    case 'CREATED':
      return `OPEN: created ${by}.`;
    case 'BUILD_SUCCEEDED':
      return `${to}: build ${buildId} succeeded, ${reported}. It waits in the queue.`;
    case 'BUILD_FAILED':
      return `${to}: build ${buildId} failed, ${reported}.${leftQueue(from)}`;
    case 'GATE_FAILED':
      return `${to}: the gate failed with build ${buildId}, ${reported}.${leftQueue(from)}`;
    case 'PROMOTED':
      return `${to}: promoted ${by}. It took the slot of its queue.`;
    case 'PROMOTED_BY_OVERRIDE':
      return `${to}: promoted ${by} over its open threads: ${reason}`;
    case 'REQUEUED':
      return `${to}: put back at the tail of its queue ${by}.`;
    case 'MERGED':
      return `${to}: merged through the queue, ${reported}.${event.vouched ? ' Its gate is vouched for, not known.' : ''}`;
    case 'RECONCILED':
      return `${to}: found on its target, merged without the queue, ${reported}.`;
    case 'CLOSED':
      return `${to}: closed without a merge ${by}.`;
  }
}

/** Describes the loss of a review that failed: its place in the queue, or the slot. */
function leftQueue(from: ReviewEvent['from']): string {
  if (from === 'READY') return ' It left the queue.';
  return from === 'MERGE' ? ' It freed its slot.' : '';
}
