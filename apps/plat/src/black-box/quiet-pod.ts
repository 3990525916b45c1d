import type { IdlePolicy } from '@plat/environments';
import type { PodSnapshot } from '../idle/pod-snapshot';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
/** The time of the first look. */
export const START = Date.UTC(2026, 10, 22, 12, 0, 0);
/** How a record is kept. */
export const OPTIONS = { space: 'here', keepMilliseconds: 5 * MINUTE };
/** The idle policy of a managed cloud. */
export const POLICY: IdlePolicy = {
  timeoutMilliseconds: 10 * MINUTE,
  timezone: 'UTC',
  trafficBytes: 65_536,
  isManaged: true,
};
/** A pod in which nothing happens. */
export const snapshot = (change: Partial<PodSnapshot> = {}): PodSnapshot => ({
  now: START,
  // The monotonic clock advances with the other one.
  monotonic: (change.now ?? START) - START + 4711,
  startedAt: START,
  terminals: [],
  attached: [],
  trafficBytes: 0,
  leaseHolders: [],
  runningJobs: 0,
  ...change,
});
