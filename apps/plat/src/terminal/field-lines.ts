import { printableLine } from './printable';
import { relativeTime } from './relative-time';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A thing with all its fields, one a line; a time as it is, and as a person counts it from now. */
export function fieldLines(thing: object, now: Date): string {
  const fields = Object.entries(thing).map(([field, value]) => {
    const text = String(value);
    return [field, printableLine(TIME.test(text) ? `${text} (${relativeTime(text, now)})` : text)] as const;
  });
  const width = Math.max(...fields.map(([field]) => field.length));
  return fields.map(([field, value]) => `${field.padEnd(width)}  ${value}`).join('\n');
}
