const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Longest timestamp that is read, in characters; the grammar allows 35. */
const LENGTH_MAX = 40;
const FRACTION_DIGITS_KEPT = 6;
const MINUTE_MS = 60_000;

/**
 * Reads an RFC 3339 timestamp and returns it in UTC, cut to microseconds, which the database keeps. Returns undefined for
 * anything else: a day that does not exist, a leap second, and a time outside the years 0001 to 9999 in UTC.
 */
export function parseInstant(text: string): string | undefined {
  const match = text.length <= LENGTH_MAX ? RFC_3339.exec(text) : null;
  if (!match) return undefined;
  const [, day = '', time = '', fraction, sign, offsetHours = '0', offsetMinutes = '0'] = match;
  if (!isDay(day) || !isTimeOfDay(time)) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const utc = offset === 0 ? `${day}T${time}` : toUtc(`${day}T${time}`, offset);
  return utc && `${utc}${fraction ? `.${fraction.slice(0, FRACTION_DIGITS_KEPT)}` : ''}Z`;
}

/**
 * Converts to UTC here, because the database refuses offsets of 16 hours and more.
 *
 * @param offset in minutes
 */
function toUtc(local: string, offset: number): string | undefined {
  const utc = new Date(Date.parse(`${local}Z`) - offset * MINUTE_MS).toISOString();
  return /^\d{4}-/.test(utc) && !utc.startsWith('0000') ? utc.slice(0, 19) : undefined;
}

function isDay(text: string): boolean {
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

function isTimeOfDay(text: string): boolean {
  return Number(text.slice(0, 2)) <= 23 && Number(text.slice(3, 5)) <= 59 && Number(text.slice(6)) <= 59;
}
