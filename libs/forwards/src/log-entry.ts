/** The events of a forward, in the order in which they can happen. */
export const LOG_EVENTS = [
  'listening',
  'opened',
  'ended',
  'failed',
  'lost-lines',
  'gone',
  'stopped',
  'crashed',
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

/** One line of a forward's log. */
export interface LogEntry {
  event: LogEvent;
  /** Without an undefined one; a text is cut at 1,000 characters, or earlier if the line would not be short. */
  fields: Readonly<Record<string, string | number | undefined>>;
}

const VALUE_LENGTH_MAX = 1000;
/** A line is written whole or not at all on every file system if it is shorter than a page. */
const LINE_BYTES_MAX = 4095;

/** `<ISO time> <event> <key>=<value> …`, a value in quotes if it is more than a word. */
export function logLine(entry: LogEntry, at: Date): string {
  let lengthMax = VALUE_LENGTH_MAX;
  let line = lineOf(entry, { at, lengthMax });
  while (Buffer.byteLength(line) > LINE_BYTES_MAX && lengthMax > 1) {
    lengthMax = Math.floor(lengthMax / 2);
    line = lineOf(entry, { at, lengthMax });
  }
  return line;
}

function lineOf({ event, fields }: LogEntry, { at, lengthMax }: { at: Date; lengthMax: number }): string {
  const shown = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${shownValue(value, lengthMax)}`],
  );
  return `${[at.toISOString(), event, ...shown].join(' ')}\n`;
}

function shownValue(value: string | number, lengthMax: number): string {
  if (typeof value === 'number') return String(value);
  const text = value.length > lengthMax ? `${value.slice(0, lengthMax)}…` : value;
  return /^[\w./:-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Reads a line. @returns undefined for a line of another origin */
export function parseLogLine(line: string): { at: string; event: LogEvent; message?: string } | undefined {
  const [, at, event] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([a-z-]+)(?: |$)/.exec(line) ?? [];
  if (at === undefined || !isEvent(event)) return undefined;
  const [, quoted, word] = / message=(?:("(?:[^"\\]|\\.)*")|(\S+))/.exec(line) ?? [];
  return { at, event, message: quoted === undefined ? word : messageOf(quoted) };
}

const isEvent = (text: string | undefined): text is LogEvent => LOG_EVENTS.some((event) => event === text);

function messageOf(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
