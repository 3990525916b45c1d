/** Longest name of a time zone that is read, in characters; the longest of the database has 32. */
const LENGTH_MAX = 64;
/** Names alone: engines also take offsets (`+01:00`), which are no IANA zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** Whether the text names a time zone of the IANA database that this Node knows. */
export function isTimeZone(text: string): boolean {
  if (text.length > LENGTH_MAX || !NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** A clock on the wall of a time zone: minutes since its midnight, from 0 to 1439, at a time in epoch milliseconds. */
export function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const [hour = 0, minute = 0] = format.format(time).split(':').map(Number);
    return hour * 60 + minute;
  };
}
