import { printableLine } from './printable';
import { relativeTime } from './relative-time';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** An object with all its fields, one a line. A time is shown exactly and relative to now. */
export function fieldLines(thing: object, now: Date): string {
  const fields = Object.entries(thing).map(([field, value]) => {
    const text = String(value);
    return [field, printableLine(TIME.test(text) ? `${text} (${relativeTime(text, now)})` : text)] as const;
  });
  const width = Math.max(...fields.map(([field]) => field.length));
  return fields.map(([field, value]) => `${field.padEnd(width)}  ${value}`).join('\n');
}
