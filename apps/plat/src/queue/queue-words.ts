import type { Entry, Estimate, Pace, Slot } from './read-queue';

/** A time as the reader has it: relative on a terminal, exact elsewhere. */
export type TimeText = (at: string) => string;

const ACTIVITIES: Readonly<Record<Slot['activity'], string>> = {
  IDLE: 'nothing waits',
  HEAD_NOT_ADVANCED: 'the head is not promoted',
  HEAD_BLOCKED: 'the head has open threads',
  NO_GATE_RUN: 'no gate run has begun',
  GATE_RUNNING: 'a gate run has begun, and has no verdict yet',
  GATE_PASSED_NOT_REPORTED: 'the gate passed, and MERGED is not reported',
  GATE_FAILED_NOT_RECORDED: 'the gate failed, and no failed GATE build is recorded',
  GATE_INCONCLUSIVE: 'no gate run has reached a verdict',
};

/** Describes the activity in the slot. A word of a newer platform is shown as it is. */
export const activityText = ({ activity }: Pick<Slot, 'activity'>): string =>
  Object.hasOwn(ACTIVITIES, activity) ? ACTIVITIES[activity] : activity;

const REASONS: Readonly<Record<NonNullable<Estimate['unavailable']>, string>> = {
  TOO_FEW_MERGES: 'fewer than five merges to judge by',
  BLOCKED: 'it has open threads',
  HEAD_BLOCKED: 'the head has open threads',
  OVERDUE: 'the present turn takes longer than any of the last ones',
};

/** Why there is no estimate; undefined if there is one. */
export function noEstimateText({ unavailable }: Estimate): string | undefined {
  if (unavailable === undefined) return undefined;
  return Object.hasOwn(REASONS, unavailable) ? REASONS[unavailable] : unavailable;
}

/** When a review will be MERGED, in one line. */
export function estimateText(estimate: Estimate, time: TimeText): string {
  const { earliest, likely, latest, basis, errorSeconds } = estimate;
  const none = noEstimateText(estimate);
  if (none !== undefined || !earliest || !likely || !latest) {
    return `unknown: ${none ?? 'the platform gives none'}`;
  }
  const error =
    errorSeconds === undefined ? '' : `; median error of last week's: ${durationText(errorSeconds)}`;
  return `merged ${time(likely)}, between ${time(earliest)} and ${time(latest)} (by ${basis} merges${error})`;
}

/** The slot in one line: who holds it, since when, what happens, and whether that takes long. A blocked one says so. */
export function slotText(slot: Slot, pace: Pace, time: TimeText): string {
  const { review, since, gateRunSince, health } = slot;
  const ran = gateRunSince === undefined ? '' : ` (${time(gateRunSince)})`;
  const doing = `${activityText(slot)}${ran}`;
  if (!review && since === undefined) return `free: ${doing}`;
  const held = review ? `"${review.name}" (${review.reviewId}), at MERGE since ${time(since ?? '')}` : '';
  const free = review ? '' : `free since ${time(since ?? '')}`;
  const long = health === 'LATE' || health === 'STUCK' ? `. ${health}: ${paceText(pace)}` : '';
  return `${held}${free}: ${doing}${long}`;
}

/** How long the queue takes from MERGE to MERGED. */
export function paceText({ measured, basis, p50Seconds, p95Seconds }: Pace): string {
  const [half, most] = [durationText(p50Seconds), durationText(p95Seconds)];
  if (!measured) return `usual is ${half}, and ${most} is long, until there are five merges`;
  return `half of the last ${basis} merges took ${half} or less, 95 of 100 took ${most} or less`;
}

/** Describes the obstacle that holds an entry back; undefined if there is none. */
export function blockedText({ blockedBy }: Pick<Entry, 'blockedBy'>): string | undefined {
  if (blockedBy === undefined) return undefined;
  const { openThreads } = blockedBy;
  return `${openThreads} open thread${openThreads === 1 ? '' : 's'}`;
}

const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
] as const;

/** A duration by its two largest units: `2 h 5 min`, `40 s`; `0.4 s` below ten seconds. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  let left = Math.round(seconds);
  const parts = UNITS.flatMap((unit) => {
    const count = Math.floor(left / unit.seconds);
    left -= count * unit.seconds;
    return count === 0 ? [] : [{ ...unit, count }];
  });
  const [first, second] = parts;
  const next = first && UNITS[UNITS.findIndex(({ name }) => name === first.name) + 1];
  const shown = second && second.name === next?.name ? [first, second] : [first];
  return shown.map((part) => (part ? `${part.count} ${part.name}` : '')).join(' ');
}
