import type { IdleMarker, IdleVerdict } from '@plat/environments';

/** The step that a verdict calls for. */
export type WatchStep = { do: 'nothing' } | { do: 'warn'; secondsUntilStop: number } | { do: 'stop' };

const WARNING_SECONDS_MAX = 5 * 60;

/**
 * How long before a stop the shells are warned, in seconds: 5 minutes, but at most half of the timeout. With the default
 * timeout of 5 minutes every pause would be interrupted otherwise.
 */
export function warningSeconds(timeoutMilliseconds: number): number {
  return Math.min(WARNING_SECONDS_MAX, timeoutMilliseconds / 2000);
}

/** Decides on the next step. @param warned whether the shells were warned of this stop already */
export function watchStep(
  { stopEligible, secondsUntilStop }: IdleVerdict,
  { timeoutMilliseconds, warned }: { timeoutMilliseconds: number; warned: boolean },
): WatchStep & { warned: boolean } {
  if (stopEligible) return { do: 'stop', warned };
  if (secondsUntilStop === undefined || secondsUntilStop > warningSeconds(timeoutMilliseconds)) {
    return { do: 'nothing', warned: false };
  }
  return warned ? { do: 'nothing', warned } : { do: 'warn', secondsUntilStop, warned: true };
}

/** The reason of a stop, a sentence for the Deployment's event and annotation. */
export function stopReason(timeout: string, markers: readonly IdleMarker[]): string {
  const last = markers.map(({ name, reason }) => `${name}: ${reason}`);
  return `Idle for at least ${timeout} (${last.join('; ')}).`;
}

/** The line that shells get. */
export function warningLine(secondsUntilStop: number, now: number): string {
  const at = new Date(now + secondsUntilStop * 1000).toISOString().slice(11, 16);
  return `plat: this environment is idle and stops at ${at} UTC. Any input at a terminal keeps it running.`;
}
