import type { EnvConfig } from './config/env-config';
import { parseDuration } from './duration';
import { IDLE_TIMEOUT_DEFAULT, IDLE_TRAFFIC_BYTES_DEFAULT } from './idle-variables';
import { wallClock } from './time-zone';
import { isWithin, parseWorkingHours, type WorkingHours } from './working-hours';

/** When an environment stops by itself. */
export interface IdlePolicy {
  timeoutMilliseconds: number;
  /** Undefined: at any time of the day. */
  workingHours?: WorkingHours;
  timezone: string;
  /** Fewer bytes than this in a minute count as quiet. */
  trafficBytes: number;
  /** Only an environment of a managed cloud stops itself. */
  isManaged: boolean;
}

/** Whether one kind of use (input, a lease, a job, traffic) keeps an environment from being idle. */
export interface IdleMarker {
  name: 'terminal' | 'lease' | 'job' | 'traffic';
  idle: boolean;
  /** A sentence without its full stop. */
  reason: string;
  /** The time until this marker counts as idle if nothing else happens; absent while a lease or a job lasts. */
  secondsRemaining?: number;
}

/** The observations of an environment. Times are epoch milliseconds. */
export interface IdleFacts {
  now: number;
  /** When the pod started. Nothing before counts, so no environment has been idle for longer. */
  startedAt: number;
  /** The last input at a terminal. */
  lastInputAt?: number;
  /** The holders of leases now, and the time when the last lease ended. */
  leases: { holders: readonly string[]; lastEndedAt?: number };
  /** Jobs that run now, and when the last one ended. */
  jobs: { running: number; lastEndedAt?: number };
  /** Bytes of each minute that had any, by the minute's start. */
  traffic: ReadonlyArray<{ startedAt: number; bytes: number }>;
}

/** Whether an environment may stop now. Rule H15. */
export interface IdleVerdict {
  stopEligible: boolean;
  /** A sentence without its full stop; absent if it may stop. */
  stopBlockedReason?: string;
  /** The time until it may stop if nothing happens; absent if that is unknown, or if it never stops itself. */
  secondsUntilStop?: number;
  markers: IdleMarker[];
}

const MINUTE = 60_000;
/** How far ahead the next working hours are sought: a day with a change of the clocks may have none. */
const MINUTES_AHEAD_MAX = 3 * 24 * 60;

/** The policy of a configuration, with the defaults of the contract. */
export function idlePolicy(
  { idle, cloud }: Pick<EnvConfig, 'idle' | 'cloud'>,
  hostTimeZone: string,
): IdlePolicy {
  const workingHours = idle?.workingHours === undefined ? undefined : parseWorkingHours(idle.workingHours);
  return {
    timeoutMilliseconds: parseDuration(idle?.timeout ?? IDLE_TIMEOUT_DEFAULT) ?? 0,
    workingHours,
    timezone: idle?.timezone ?? hostTimeZone,
    trafficBytes: idle?.trafficBytes ?? IDLE_TRAFFIC_BYTES_DEFAULT,
    isManaged: cloud?.alias !== undefined,
  };
}

/**
 * Judges whether an environment is idle: for the whole timeout no input at a terminal, no lease, no job and in each
 * minute less traffic than the threshold; and the time lies within the working hours. Rule H15.
 */
export function judgeIdle(policy: IdlePolicy, facts: IdleFacts): IdleVerdict {
  const markers = markersOf(policy, facts);
  const busy = markers.find(({ idle }) => !idle);
  const blocked = blockedReason(policy, facts.now, busy);
  const seconds = policy.isManaged ? secondsUntilStop(policy, facts.now, markers) : undefined;
  return {
    stopEligible: blocked === undefined,
    stopBlockedReason: blocked,
    secondsUntilStop: seconds,
    markers,
  };
}

function blockedReason(policy: IdlePolicy, now: number, busy: IdleMarker | undefined): string | undefined {
  if (!policy.isManaged) return 'only an environment of a managed cloud stops itself';
  if (busy !== undefined) return busy.reason;
  return isOpen(policy, now) ? undefined : 'the time lies outside of the working hours';
}

function markersOf(policy: IdlePolicy, facts: IdleFacts): IdleMarker[] {
  const { leases, jobs, lastInputAt } = facts;
  const loud = facts.traffic.filter(({ bytes }) => bytes >= policy.trafficBytes);
  const lastLoud = Math.max(...loud.map(({ startedAt }) => startedAt + MINUTE));
  const past = (name: IdleMarker['name'], what: string, at: number | undefined) =>
    pastMarker({ name, what, at: at === undefined ? undefined : Math.min(at, facts.now) }, policy, facts);
  return [
    past('terminal', 'input at a terminal', lastInputAt),
    leases.holders.length > 0
      ? { name: 'lease', idle: false, reason: `a lease is held by ${leases.holders.join(', ')}` }
      : past('lease', 'a lease', leases.lastEndedAt),
    jobs.running > 0
      ? { name: 'job', idle: false, reason: `jobs are running: ${jobs.running}` }
      : past('job', 'a job', jobs.lastEndedAt),
    past(
      'traffic',
      `traffic of ${policy.trafficBytes} bytes or more in a minute`,
      loud.length === 0 ? undefined : lastLoud,
    ),
  ];
}

/** The marker of a use that has ended. It counts for the timeout, or the pod's start does if there was no such use. */
function pastMarker(
  { name, what, at }: { name: IdleMarker['name']; what: string; at: number | undefined },
  { timeoutMilliseconds }: IdlePolicy,
  { now, startedAt }: IdleFacts,
): IdleMarker {
  const happened = at !== undefined && at > startedAt;
  const since = Math.max(0, now - (happened ? at : startedAt));
  const remaining = Math.max(0, timeoutMilliseconds - since);
  const ago = Math.floor(since / 1000);
  const reason = happened
    ? `${what}, ${ago} s ago`
    : `the start of the pod, ${ago} s ago; no ${what.replace(/^an? /, '')} since`;
  return { name, idle: remaining === 0, reason, secondsRemaining: Math.ceil(remaining / 1000) };
}

function secondsUntilStop(
  policy: IdlePolicy,
  now: number,
  markers: readonly IdleMarker[],
): number | undefined {
  const remaining = markers.map((marker) => marker.secondsRemaining);
  if (remaining.includes(undefined)) return undefined;
  const quiet = now + Math.max(...remaining.map((seconds) => (seconds ?? 0) * 1000));
  const open = nextOpening(policy, quiet);
  return open === undefined ? undefined : Math.ceil((open - now) / 1000);
}

/** The first time, from the given one on, that lies within the working hours. */
function nextOpening(policy: IdlePolicy, from: number): number | undefined {
  if (isOpen(policy, from)) return from;
  const { workingHours, timezone } = policy;
  if (workingHours === undefined) return from;
  const clock = wallClock(timezone);
  const firstMinute = Math.ceil(from / MINUTE);
  for (let minute = firstMinute; minute <= firstMinute + MINUTES_AHEAD_MAX; minute += 1) {
    if (isWithin(workingHours, clock(minute * MINUTE))) return minute * MINUTE;
  }
  return undefined;
}

function isOpen({ workingHours, timezone }: IdlePolicy, time: number): boolean {
  return workingHours === undefined || isWithin(workingHours, wallClock(timezone)(time));
}
