import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { DestinationStream } from 'pino';

/** Lines are written together, up to this many characters or milliseconds, because single writes are expensive. */
const WRITE_LENGTH = 4096;
const WRITE_AFTER_MS = 100;
/** Most bytes that wait for a reader. Further lines are dropped and counted. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** How long the last lines wait for a reader when the process ends. */
const LAST_LINES_MS = 1000;

/**
 * The output of a process's log. A reader that is gone or does not read neither delays a request nor keeps the process
 * from ending. Writes of the stream must never block; a stdout that is a pipe or a socket meets this. pino's own
 * destination is unsuitable: a thread waits in each write, and no exit ends it.
 */
export class LogOutput implements DestinationStream {
  private lines = '';
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private gone = false;

  constructor(private readonly stream: Writable) {
    stream.on('error', () => (this.gone = true));
  }

  write(line: string): void {
    if (this.gone) return;
    if (this.stream.writableLength + this.lines.length > WAITING_BYTES_MAX) return void this.dropped++;
    this.lines += line;
    if (this.lines.length >= WRITE_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes the collected lines. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.lines + this.droppedLine();
    this.lines = '';
    if (lines !== '' && !this.gone) this.stream.write(lines);
  }

  /** Writes the last lines. @returns whether the reader took them in time */
  async end(): Promise<boolean> {
    this.flush();
    if (this.gone || this.stream.writableLength === 0) return true;
    const patience = new AbortController();
    const taken = new Promise<boolean>((resolve) => {
      this.stream.once('drain', () => resolve(true)).once('error', () => resolve(true));
      this.stream.write('', () => resolve(true));
    });
    const late = delay(LAST_LINES_MS, false, { signal: patience.signal }).catch(() => false);
    return Promise.race([taken, late]).finally(() => patience.abort());
  }

  private droppedLine(): string {
    if (this.dropped === 0 || this.stream.writableLength > WAITING_BYTES_MAX / 2) return '';
    const line = {
      level: 40,
      time: new Date().toISOString(),
      lines: this.dropped,
      msg: 'lines of this log were dropped',
    };
    this.dropped = 0;
    return `${JSON.stringify(line)}\n`;
  }
}

let own: LogOutput | undefined;

/** The process's own stdout. */
export function openStandardOutput(): LogOutput {
  if (!own) {
    const output = (own = new LogOutput(process.stdout));
    process.once('exit', () => output.flush());
  }
  return own;
}
