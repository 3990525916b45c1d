import { Failure } from './failure';

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/**
 * Milliseconds of a duration in the form of Go's ParseDuration: `90s`, `15m`, `1h30m`.
 *
 * @param flag names the input in the message
 * @throws Failure INVALID_DURATION
 */
export function milliseconds(text: string, flag: string): number {
  if (!DURATION.test(text)) {
    throw new Failure('INVALID_DURATION', `${flag} ${JSON.stringify(text)} is not a duration.`, {
      next: 'give one such as 90s, 15m or 1h30m',
    });
  }
  const parts = [...text.matchAll(PART)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS],
    0,
  );
}
