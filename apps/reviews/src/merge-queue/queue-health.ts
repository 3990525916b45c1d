import type { GateRunVerdict, SlotActivity, SlotHealth } from '@plat/contracts/core';
import { BASIS_MAX, BASIS_MIN, type Merge, quantile } from './queue-estimate';

/** Median and 95th percentile from MERGE to MERGED of a queue with fewer than BASIS_MIN merges, in seconds. */
const DEFAULT_SECONDS = { p50: 600, p95: 1200 };
/** Shortest times after which a slot is LATE and STUCK, so that a queue of short merges does not alarm at once. */
const LATE_SECONDS_MIN = 60;
const STUCK_SECONDS_MIN = 300;
/** STUCK is this many times as long as LATE. */
const STUCK_TO_LATE = 3;

/** How long a queue takes from MERGE to MERGED, in seconds. */
export interface Pace {
  basis: number;
  /** false: too few merges, so the times are defaults. */
  measured: boolean;
  p50Seconds: number;
  p95Seconds: number;
  lateAfterSeconds: number;
  stuckAfterSeconds: number;
}

/** The pace of a queue, by its last merges, the newest first. */
export function paceOf(merges: readonly Merge[]): Pace {
  const seconds = merges
    .slice(0, BASIS_MAX)
    .map(({ promotedAt, mergedAt }) => (mergedAt - promotedAt) / 1000);
  const measured = seconds.length >= BASIS_MIN;
  const p50 = measured ? quantile(seconds, 0.5) : DEFAULT_SECONDS.p50;
  const p95 = measured ? quantile(seconds, 0.95) : DEFAULT_SECONDS.p95;
  const late = Math.max(p95, LATE_SECONDS_MIN);
  return {
    basis: seconds.length,
    measured,
    p50Seconds: p50,
    p95Seconds: p95,
    lateAfterSeconds: late,
    stuckAfterSeconds: Math.max(STUCK_TO_LATE * late, STUCK_SECONDS_MIN),
  };
}

/** The slot of a queue, as the database has it. Times are milliseconds since the epoch. */
export interface SlotFacts {
  /** The review at MERGE, with the verdict of the gate run that says what it does. */
  held?: { since: number; gate?: { verdict: GateRunVerdict; since: number } | undefined } | undefined;
  /** When a free slot was freed; absent if no review ever left it. */
  freedAt?: number | undefined;
  /** The review that waits first. */
  head?: { since: number; openThreads: number } | undefined;
}

export interface SlotState {
  /** Absent if nothing waits and the slot is free. */
  since: number | undefined;
  activity: SlotActivity;
  /** When the activity began, by which health is judged; absent like `since`. */
  activeSince: number | undefined;
  health: SlotHealth;
}

const BY_VERDICT: Readonly<Record<GateRunVerdict, SlotActivity>> = {
  RUNNING: 'GATE_RUNNING',
  PASSED: 'GATE_PASSED_NOT_REPORTED',
  FAILED: 'GATE_FAILED_NOT_RECORDED',
  INCONCLUSIVE: 'GATE_INCONCLUSIVE',
};

/**
 * Returns the activity in a slot, its start, and whether it takes longer than this queue's merges. LATE compares with
 * merges, so a queue with too few of them is never LATE; it is STUCK after the default time.
 */
export function slotState(now: number, facts: SlotFacts, pace: Pace): SlotState {
  const state = activityOf(facts);
  return { ...state, health: healthOf(now, state, pace) };
}

function healthOf(
  now: number,
  { activity, activeSince }: Omit<SlotState, 'health'>,
  { measured, lateAfterSeconds, stuckAfterSeconds }: Pace,
): SlotHealth {
  if (activity === 'HEAD_BLOCKED') return 'BLOCKED';
  const seconds = activeSince === undefined ? 0 : (now - activeSince) / 1000;
  if (seconds > stuckAfterSeconds) return 'STUCK';
  return measured && seconds > lateAfterSeconds ? 'LATE' : 'ON_TIME';
}

/** Milliseconds until the health of a slot changes, if nothing else does; Infinity if it does not. */
export function timeToNextHealth(now: number, { activeSince, health }: SlotState, pace: Pace): number {
  if (activeSince === undefined || health === 'STUCK' || health === 'BLOCKED') return Infinity;
  const isNextLate = health === 'ON_TIME' && pace.measured;
  const seconds = isNextLate ? pace.lateAfterSeconds : pace.stuckAfterSeconds;
  // Health changes once the time is longer than that.
  return activeSince + seconds * 1000 + 1 - now;
}

function activityOf({ held, freedAt, head }: SlotFacts): Omit<SlotState, 'health'> {
  if (held) {
    const { since, gate } = held;
    const activity = gate === undefined ? 'NO_GATE_RUN' : BY_VERDICT[gate.verdict];
    return { since, activity, activeSince: Math.max(since, gate?.since ?? since) };
  }
  if (!head) return { since: undefined, activity: 'IDLE', activeSince: undefined };
  const since = Math.max(head.since, freedAt ?? head.since);
  const activity = head.openThreads > 0 ? 'HEAD_BLOCKED' : 'HEAD_NOT_ADVANCED';
  return { since, activity, activeSince: since };
}
