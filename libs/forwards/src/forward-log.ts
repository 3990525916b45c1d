import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { olderLogOf } from './forward-record';
import { type LogEntry, logLine } from './log-entry';

/** Largest log of a forward, in bytes. Spec: Client, Limits. */
export const LOG_BYTES_MAX = 5 * 1024 * 1024;

/** No link is followed; the log of a forward is its user's alone. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PRIVATE = 0o600;

/**
 * The log of a running forward. It writes at once, because the last words of a process count. Each line goes to the file
 * that has the log's name now, so that the log can be renamed or removed while the forward runs, and none is written to
 * the older one. A full disk loses lines and not the forward; how many were lost is its next line.
 */
export class ForwardLog {
  private file: number | undefined;
  private lost = 0;

  constructor(private readonly path: string) {}

  write(entry: LogEntry): void {
    const lines = [logLine(entry, new Date())];
    if (this.lost > 0) {
      lines.unshift(logLine({ event: 'lost-lines', fields: { count: this.lost } }, new Date()));
    }
    try {
      this.append(lines.join(''));
      this.lost = 0;
    } catch {
      // There is nobody else to whom it could be reported.
      this.lost += 1;
      this.close();
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private append(text: string): void {
    this.file = this.currentFile();
    if (fstatSync(this.file).size + text.length > LOG_BYTES_MAX) {
      this.close();
      keepOlder(this.path);
      this.file = openLog(this.path);
    }
    const bytes = Buffer.from(text);
    if (writeSync(this.file, bytes) < bytes.length) throw new Error('the disk is full');
  }

  private currentFile(): number {
    if (this.file !== undefined && isNow(this.path, this.file)) return this.file;
    this.close();
    return openLog(this.path);
  }
}

/** Renames a log that is too large; its older generation is replaced. Spec: Client, Log retention and cleanup, rule 2. */
export function applyCap(path: string): void {
  try {
    const state = lstatSync(path);
    if (state.isFile() && state.size > LOG_BYTES_MAX) keepOlder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function keepOlder(path: string): void {
  renameSync(path, olderLogOf(path));
}

/** Opens a log to append. A link or a pipe in its place is removed, never followed. */
function openLog(path: string): number {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) unlinkSync(path);
  return openSync(path, APPEND, PRIVATE);
}

function isNow(path: string, file: number): boolean {
  try {
    const [named, opened] = [lstatSync(path), fstatSync(file)];
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch {
    return false;
  }
}
