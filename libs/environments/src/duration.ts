/** Nanoseconds of each unit of Go's ParseDuration. */
const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
/** Longest duration that is read, in characters; Go sets no bound. */
const LENGTH_MAX = 64;
/** Go keeps a duration in 64 bits: about 292 years. */
const NANOSECONDS_MAX = 2 ** 63;

const COUNT = String.raw`\d+(?:\.\d*)?|\.\d+`;
// The pattern is built from the names and is no literal: the client's bundle is plain ASCII, and esbuild escapes texts
// alone, no expressions.
const UNITS = Object.keys(NANOSECONDS).join('|');

/** The pattern of a duration, for the published schema too. Spec: Client, PLAT_IDLE_TIMEOUT. */
export const DURATION = new RegExp(`^[+-]?(?:0|(?:(?:${COUNT})(?:${UNITS}))+)$`);
const PART = new RegExp(`(${COUNT})(${UNITS})`, 'g');

/**
 * Milliseconds of a duration by the grammar of Go's ParseDuration: `300ms`, `1.5h`, `1h30m`, `-2m`, `0`. Undefined for
 * anything else, and for what Go's 64 bits do not hold.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > LENGTH_MAX || !DURATION.test(text)) return undefined;
  const parts = Array.from(
    text.matchAll(PART),
    ([, count, unit = '']) => Number(count) * (NANOSECONDS[unit] ?? 0),
  );
  const nanoseconds = parts.reduce((sum, part) => sum + part, 0);
  if (nanoseconds >= NANOSECONDS_MAX) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (nanoseconds / 1e6);
}
