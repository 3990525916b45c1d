import type { GateRunVerdict } from '@plat/contracts/core';
import type {
  DivergentLanding,
  MergeQueueEntry,
  MergeQueueEstimate,
  MergeQueuePace,
  MergeQueueReview,
  MergeQueueSlot,
  MergeQueueStatus,
} from '@plat/contracts/reviews';
import { estimate, type EstimateErrors, estimateErrors, type JudgedMerge } from './queue-estimate';
import { type Pace, paceOf, type SlotState, slotState, timeToNextHealth } from './queue-health';

/** A review as reviews.queue_status returns it: fields of its row. */
export interface QueuedReview {
  review_id: string;
  name: string;
  source_branch: string;
  author_user_id: string;
}

/** The row of reviews.queue_status. Its times are RFC 3339 UTC, those of merges milliseconds since the epoch. */
export interface QueueStatusRow {
  asked_at: string;
  repository: string | null;
  version: number;
  slot: {
    review: QueuedReview;
    since: string;
    readyAt: string;
    gate: { gateRunId: string; verdict: GateRunVerdict; since: string } | null;
  } | null;
  freed_at: string | null;
  head: { since: string; openThreads: number } | null;
  /** The newest first. */
  merges: (Omit<JudgedMerge, 'found'> & { found: JudgedMerge['found'] | null })[] | null;
  entries: (QueuedReview & { ticket: number; since: string; openThreads: number })[] | null;
}

/** A landing whose content is DIVERGENT. */
export interface DivergentRow extends QueuedReview {
  landed_at: string;
}

/** The inputs of a response, in addition to the row. */
interface Page {
  targetBranch: string;
  /** The position of the last entry before the page. */
  after: number;
  size: number;
  /** The newest first. */
  divergent: readonly DivergentRow[];
}

const MINUTE_MS = 60_000;
/** The last minute that RFC 3339 can write. */
const LAST_MS = Date.parse('9999-12-31T23:59:00Z');

/**
 * The status of a queue, from the row that the database has of it. One entry more than the page is read.
 *
 * @returns also the milliseconds until the health of its slot changes; estimates slide with time at any moment
 */
export function toQueueStatus(
  row: QueueStatusRow,
  { targetBranch, after, size, divergent }: Page,
): { status: MergeQueueStatus; timeToChange: number } {
  const merges = (row.merges ?? []).map(({ found, ...merge }) => ({ ...merge, found: found ?? undefined }));
  const pace = paceOf(merges);
  const estimator = estimatorOf(row, merges);
  const read = row.entries ?? [];
  const entries = read.slice(0, size).map((entry, n) => toEntry(entry, after + n + 1, { row, estimator }));
  const last = read.length > size ? read[size - 1] : undefined;
  const state = slotStateOf(row, pace);
  const status = {
    targetBranch,
    repository: row.repository ?? undefined,
    version: row.version,
    slot: toSlot(row, state, estimator),
    pace: toPace(pace, estimateErrors(merges)),
    divergent: divergent.length === 0 ? undefined : divergent.map(toLanding),
    entries,
    nextCursor: last && `${after + size}-${last.ticket}`,
  };
  return { status, timeToChange: timeToNextHealth(Date.parse(row.asked_at), state, pace) };
}

/** Estimates when a review will be MERGED after this many turns, including its own and that of the slot. */
type Estimator = (turns: number) => MergeQueueEstimate;

function estimatorOf({ asked_at, slot, head }: QueueStatusRow, merges: JudgedMerge[]): Estimator {
  const now = Date.parse(asked_at);
  const turnReadyAt = Date.parse(slot?.readyAt ?? head?.since ?? asked_at);
  const errors = estimateErrors(merges);
  return (turns) => {
    const said = estimate(now, merges, { turns, turnReadyAt });
    if ('unavailable' in said) return said;
    const { earliest, likely, latest, basis } = said;
    return {
      earliest: toMinute(earliest),
      likely: toMinute(likely),
      latest: toMinute(latest),
      basis,
      errorSeconds: errors && toSeconds(errors.medianMs / 1000),
    };
  };
}

function slotStateOf({ asked_at, slot, head, freed_at }: QueueStatusRow, pace: Pace): SlotState {
  const facts = {
    held: slot ? { since: Date.parse(slot.since), gate: gateOf(slot.gate) } : undefined,
    freedAt: freed_at === null ? undefined : Date.parse(freed_at),
    head: head ? { since: Date.parse(head.since), openThreads: head.openThreads } : undefined,
  };
  return slotState(Date.parse(asked_at), facts, pace);
}

function gateOf(gate: NonNullable<QueueStatusRow['slot']>['gate']) {
  return gate === null ? undefined : { verdict: gate.verdict, since: Date.parse(gate.since) };
}

function toSlot(
  { slot, head, freed_at }: QueueStatusRow,
  { since, activity, health }: SlotState,
  estimator: Estimator,
): MergeQueueSlot {
  // The text that the database gave, which has microseconds.
  const exact = [slot?.since, freed_at, head?.since].find((text) => text && Date.parse(text) === since);
  return {
    review: slot ? toReview(slot.review) : undefined,
    since: exact ?? undefined,
    activity,
    gateRunId: slot?.gate?.gateRunId,
    gateRunSince: slot?.gate?.since,
    health,
    cause: health === 'ON_TIME' ? undefined : activity,
    estimate: slot ? estimator(1) : undefined,
  };
}

function toPace(pace: Pace, errors: EstimateErrors | undefined): MergeQueuePace {
  return {
    basis: pace.basis,
    measured: pace.measured,
    p50Seconds: toSeconds(pace.p50Seconds),
    p95Seconds: toSeconds(pace.p95Seconds),
    lateAfterSeconds: toSeconds(pace.lateAfterSeconds),
    stuckAfterSeconds: toSeconds(pace.stuckAfterSeconds),
    errors: errors && {
      estimates: errors.estimates,
      medianSeconds: toSeconds(errors.medianMs / 1000),
      withinRange: errors.withinRange,
    },
  };
}

function toEntry(
  entry: NonNullable<QueueStatusRow['entries']>[number],
  position: number,
  { row: { slot, head }, estimator }: { row: QueueStatusRow; estimator: Estimator },
): MergeQueueEntry {
  const { since, openThreads } = entry;
  const blockedBy = openThreads > 0 ? { openThreads } : undefined;
  const of = { ...toReview(entry), position, since, blockedBy };
  if (blockedBy) return { ...of, estimate: { unavailable: 'BLOCKED' } };
  if (head && head.openThreads > 0) return { ...of, estimate: { unavailable: 'HEAD_BLOCKED' } };
  return { ...of, estimate: estimator(position + (slot ? 1 : 0)) };
}

const toLanding = ({ landed_at, ...review }: DivergentRow): DivergentLanding => ({
  ...toReview(review),
  landedAt: landed_at,
});

function toReview({ review_id, name, source_branch, author_user_id }: QueuedReview): MergeQueueReview {
  return { reviewId: review_id, name, sourceBranch: source_branch, authorUserId: author_user_id };
}

/** The minute after, so that the answer, and its entity tag, do not change from moment to moment. */
const toMinute = (milliseconds: number): string =>
  new Date(Math.min(Math.ceil(milliseconds / MINUTE_MS) * MINUTE_MS, LAST_MS))
    .toISOString()
    .replace('.000Z', 'Z');

const toSeconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
