const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration for a person: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 100) return `${whole} s`;
  if (whole < 100 * MINUTE) return `${Math.round(whole / MINUTE)} min`;
  if (whole < 2 * DAY) return inUnits(whole, { h: HOUR, min: MINUTE });
  return inUnits(whole, { d: DAY, h: HOUR });
}

function inUnits(whole: number, units: Readonly<Record<string, number>>): string {
  const [[large, size], [small, part]] = Object.entries(units) as [[string, number], [string, number]];
  const rest = Math.floor((whole % size) / part);
  return `${Math.floor(whole / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** `one merge`, `3 merges`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `one ${one}` : `${count} ${many}`;

/** Seconds from a time to another; negative if it is still to come. */
export const secondsSince = (at: string, now: Date): number => (now.getTime() - Date.parse(at)) / 1000;

/** `12 min ago`, `in 12 min`, `now`. */
export function relativeText(at: string, now: Date): string {
  const seconds = secondsSince(at, now);
  if (Math.abs(seconds) < 5) return 'now';
  return seconds < 0 ? `in ${spanText(-seconds)}` : `${spanText(seconds)} ago`;
}

/** The exact time in this browser's time zone, to the second. */
export function exactText(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Hours and minutes; with the day if it is another one. */
export function clockText(at: string, now: Date): string {
  const time = new Date(at);
  const sameDay = time.toDateString() === now.toDateString();
  const clock = time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return sameDay
    ? clock
    : `${time.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${clock}`;
}
