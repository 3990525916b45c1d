import { fstatSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import { LogFile } from './log-file';

/** Lines are written together, up to this many characters or milliseconds, because single writes are expensive. */
const WRITE_LENGTH = 4096;
const WRITE_AFTER_MS = 100;
/** Most bytes that wait for a reader. Further lines are dropped and counted. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** How long the last lines wait for a reader when the process ends. */
const LAST_LINES_MS = 1000;

/** A stream of Node's, or a LogFile. */
interface LogStream {
  /** Bytes that wait for a reader. */
  writableLength: number;
  /** @param done is given an error if the text, or the rest of it, was not written */
  write(text: string, done: (error?: Error | null, rest?: string) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'error' | 'drain', listener: () => void): unknown;
}

/**
 * The output of a process's log. Neither a reader that is gone or does not read nor a full disk delays a request, ends the
 * process or keeps it from ending. The lines that are lost are counted, and the first loss is reported once. Writes of the
 * stream must never block; a stdout that is a pipe or a socket meets this, and a LogFile. pino's own destination is
 * unsuitable: a thread waits in each write, and no exit ends it.
 */
export class LogOutput implements DestinationStream {
  private lines = '';
  private lost = 0;
  /** Lines that were lost since the log itself said so. */
  private unsaid = 0;
  private timer: NodeJS.Timeout | undefined;
  private gone = false;

  /** @param warn is given the one sentence about lost lines; default: stderr */
  constructor(
    private readonly stream: LogStream,
    private readonly warn: (sentence: string) => void = writeToStandardError,
  ) {
    stream.on('error', () => (this.gone = true));
  }

  /** Lines that were not written, since the process began. */
  get linesLost(): number {
    return this.lost;
  }

  write(line: string): void {
    if (this.gone) return this.lose(count(line));
    if (this.stream.writableLength + this.lines.length > WAITING_BYTES_MAX) return this.lose(count(line));
    this.lines += line;
    if (this.lines.length >= WRITE_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes the collected lines. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lines, unsaid: said } = this;
    this.lines = '';
    if (this.gone) return this.lose(count(lines));
    const report = said > 0 && this.stream.writableLength <= WAITING_BYTES_MAX / 2 ? lossLine(said) : '';
    if (lines + report === '') return;
    if (report !== '') this.unsaid = 0;
    this.stream.write(lines + report, (error, rest = lines + report) => {
      if (!error) return;
      if (report !== '') this.unsaid += said;
      this.lose(count(rest) - count(report), error);
    });
  }

  /** Writes the last lines. @returns whether the reader took them in time */
  async end(): Promise<boolean> {
    this.flush();
    if (this.gone || this.stream.writableLength === 0) return true;
    const patience = new AbortController();
    const taken = new Promise<boolean>((resolve) => {
      this.stream.once('drain', () => resolve(true));
      this.stream.once('error', () => resolve(true));
      this.stream.write('', () => resolve(true));
    });
    const late = delay(LAST_LINES_MS, false, { signal: patience.signal }).catch(() => false);
    return Promise.race([taken, late]).finally(() => patience.abort());
  }

  private lose(lines: number, error?: NodeJS.ErrnoException): void {
    if (lines <= 0) return;
    const isFirst = this.lost === 0;
    this.lost += lines;
    this.unsaid += lines;
    if (!isFirst) return;
    const cause = error?.code ?? (this.gone ? 'its reader has gone' : 'its reader does not keep up');
    this.warn(
      `Lines of the log are lost (${cause}). The service goes on; plat_log_lines_lost_total at /metrics counts them.`,
    );
  }
}

/** The number of lines in a text, of which the first may have lost its beginning. */
const count = (text: string): number => text.split('\n').length - 1;

function lossLine(lines: number): string {
  const line = { level: 40, time: new Date().toISOString(), lines, msg: 'lines of this log were dropped' };
  return `${JSON.stringify(line)}\n`;
}

function writeToStandardError(sentence: string): void {
  process.stderr.once('error', () => undefined).write(`${sentence}\n`);
}

let own: LogOutput | undefined;

/** The process's own stdout. */
export function openStandardOutput(): LogOutput {
  if (!own) {
    const output = (own = new LogOutput(isFile(STDOUT) ? new LogFile(STDOUT) : process.stdout));
    process.once('exit', () => output.flush());
  }
  return own;
}

const STDOUT = 1;

/** Whether a write to it is one to a disk or a device, which either succeeds or fails at once. */
function isFile(fd: number): boolean {
  const found = fstatSync(fd);
  return found.isFile() || (found.isCharacterDevice() && !isatty(fd));
}
