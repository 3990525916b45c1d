const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How a unit is counted: up to `below` seconds, in steps of `size`. */
const UNITS = [
  { below: MINUTE, size: 1, name: 's' },
  { below: HOUR, size: MINUTE, name: 'min' },
  { below: DAY, size: HOUR, name: 'h' },
  { below: 60 * DAY, size: DAY, name: 'd' },
] as const;

/** A time relative to now: `3 min ago`, `in 2 h`; the date if it is 60 days away or more. */
export function relativeTime(text: string, now: Date): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  const seconds = Math.round((time - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  const unit = UNITS.find(({ below }) => distance < below);
  if (!unit) return text.slice(0, 'YYYY-MM-DD'.length);
  if (distance < 5) return 'now';
  const count = `${Math.floor(distance / unit.size)} ${unit.name}`;
  return seconds < 0 ? `${count} ago` : `in ${count}`;
}

/** How a command shows times: relative to now for a person, exact in a pipe. */
export function timeText(interactive: boolean): (at: string) => string {
  const now = new Date();
  return (at) => (interactive ? relativeTime(at, now) : at);
}
