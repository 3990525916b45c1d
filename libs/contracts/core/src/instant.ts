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
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  // Converted to UTC here, because the database refuses offsets of 16 hours and more.
  const utc = new Date(Date.parse(`${day}T${time}Z`) - offsetMs).toISOString();
  if (!/^\d{4}-/.test(utc) || utc.startsWith('0000')) return undefined;
  return `${utc.slice(0, 19)}${fraction ? `.${fraction.slice(0, FRACTION_DIGITS_KEPT)}` : ''}Z`;
}

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

function isTimeOfDay(text: string): boolean {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number);
  return hour <= 23 && minute <= 59 && second <= 59;
}
