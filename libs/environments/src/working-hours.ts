/**
 * The part of each day in which idle-stop may fire, in minutes since midnight. It goes over midnight if it ends before
 * it starts.
 */
export interface WorkingHours {
  /** A number from 0 to 1439. */
  start: number;
  /** Exclusive; from 0 to 1439. */
  end: number;
}

/** Spec: Client, PLAT_IDLE_WORKING_HOURS. */
export const WORKING_HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;
const LENGTH = 'HH:MM-HH:MM'.length;

/** Reads `HH:MM-HH:MM`; undefined for anything else, and for equal ends, which could mean all day or never. */
export function parseWorkingHours(text: string): WorkingHours | undefined {
  if (text.length !== LENGTH || !WORKING_HOURS.test(text)) return undefined;
  const [start = 0, end = 0] = text.split('-').map(minutes);
  return start === end ? undefined : { start, end };
}

function minutes(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

/** Whether a minute of the day lies in the hours. */
export function isWithin({ start, end }: WorkingHours, minute: number): boolean {
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}
