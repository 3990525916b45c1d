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
  held?: { since: number; verdict: GateRunVerdict | undefined } | undefined;
  /** When a free slot was freed; absent if no review ever left it. */
  freedAt?: number | undefined;
  /** The review that waits first. */
  head?: { since: number; openThreads: number } | undefined;
}

export interface SlotState {
  /** Absent if nothing waits and the slot is free. */
  since: number | undefined;
  activity: SlotActivity;
  health: SlotHealth;
}

const BY_VERDICT: Readonly<Record<GateRunVerdict, SlotActivity>> = {
  RUNNING: 'GATE_RUNNING',
  PASSED: 'GATE_PASSED_NOT_REPORTED',
  FAILED: 'GATE_FAILED_NOT_RECORDED',
  INCONCLUSIVE: 'GATE_INCONCLUSIVE',
};

/** What goes on in a slot, since when, and whether that takes longer than this queue's pace. */
export function slotState(now: number, facts: SlotFacts, pace: Pace): SlotState {
  const { since, activity } = activityOf(facts);
  const seconds = since === undefined ? 0 : (now - since) / 1000;
  const late = seconds > pace.lateAfterSeconds;
  return { since, activity, health: seconds > pace.stuckAfterSeconds ? 'STUCK' : late ? 'LATE' : 'ON_TIME' };
}

/** Milliseconds until the health of a slot changes, if nothing else does; Infinity if it does not. */
export function timeToNextHealth(now: number, { since, health }: SlotState, pace: Pace): number {
  if (since === undefined || health === 'STUCK') return Infinity;
  const seconds = health === 'ON_TIME' ? pace.lateAfterSeconds : pace.stuckAfterSeconds;
  // Health changes once the time is longer than that.
  return since + seconds * 1000 + 1 - now;
}

function activityOf({ held, freedAt, head }: SlotFacts): Pick<SlotState, 'since' | 'activity'> {
  if (held) {
    const activity = held.verdict === undefined ? 'NO_GATE_RUN' : BY_VERDICT[held.verdict];
    return { since: held.since, activity };
  }
  if (!head) return { since: undefined, activity: 'IDLE' };
  const since = Math.max(head.since, freedAt ?? head.since);
  return { since, activity: head.openThreads > 0 ? 'HEAD_BLOCKED' : 'HEAD_NOT_ADVANCED' };
}
