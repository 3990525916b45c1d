/** What happens to a forward, in the order in which it can happen. */
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
  /** Without an undefined one; a text is cut at 1,000 characters. */
  fields: Readonly<Record<string, string | number | undefined>>;
}

const VALUE_LENGTH_MAX = 1000;

/** `<ISO time> <event> <key>=<value> …`, a value in quotes if it is more than a word. */
export function logLine({ event, fields }: LogEntry, at: Date): string {
  const shown = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${shownValue(value)}`],
  );
  return `${[at.toISOString(), event, ...shown].join(' ')}\n`;
}

function shownValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value;
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
