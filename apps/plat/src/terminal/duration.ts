import { parseDuration } from '@plat/environments';
import { Failure } from './failure';

/**
 * Milliseconds of a duration in the form of Go's ParseDuration: `90s`, `15m`, `1h30m`.
 *
 * @param flag names the input in the message
 * @throws Failure INVALID_DURATION, also for a negative one
 */
export function milliseconds(text: string, flag: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined && duration >= 0) return duration;
  throw new Failure('INVALID_DURATION', `${flag} ${JSON.stringify(text)} is not a duration.`, {
    next: 'give one such as 90s, 15m or 1h30m',
  });
}
