import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { olderLogOf } from './forward-record';
import { type LogEntry, logLine } from './log-entry';
import { clearPlace, isLedAway } from './own-place';

/** Largest log of a forward, in bytes. Spec: Client, Limits. */
export const LOG_BYTES_MAX = 5 * 1024 * 1024;

/** No link is followed; the log of a forward is its user's alone. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PRIVATE = 0o600;

type Inode = Pick<Stats, 'dev' | 'ino'>;

/**
 * The log of a running forward. It writes at once, because the last words of a process count. Each line goes to the file
 * that has the log's name now, so that the log can be renamed or removed while the forward runs, and none is written to
 * the older one. A full disk loses lines and not the forward; how many were lost is its next line.
 */
export class ForwardLog {
  private file: number | undefined;
  private lost = 0;
  /** Whether the last line in the file lacks its end. */
  private isCut = false;

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
      // There is no other place to report it.
      this.lost += 1;
      this.close();
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private append(text: string): void {
    if (isLedAway(this.path)) throw new Error('a link is in place of its folder');
    this.file = this.currentFile();
    const bytes = Buffer.from(this.isCut ? `\n${text}` : text);
    const state = fstatSync(this.file);
    if (state.size + bytes.length > LOG_BYTES_MAX) {
      this.close();
      keepOlder(this.path, state);
      this.file = openLog(this.path);
    }
    const written = writeSync(this.file, bytes);
    if (written > 0) this.isCut = written < bytes.length;
    if (written < bytes.length) throw new Error('the disk is full');
  }

  private currentFile(): number {
    if (this.file !== undefined && isNow(this.path, this.file)) return this.file;
    this.close();
    return openLog(this.path);
  }
}

/**
 * Renames a log that is too large; its older generation is replaced. Best effort, because a forward does not depend on it:
 * what cannot be renamed stays. Spec: Client, Log retention and cleanup, rule 2.
 */
export function applyCap(path: string): void {
  try {
    const state = lstatSync(path);
    if (!isLedAway(path) && state.isFile() && state.size > LOG_BYTES_MAX) keepOlder(path, state);
  } catch {
    // There is none, or its disk is full or may not be written.
  }
}

/**
 * Renames the log that was found too large. The forward and `plat open` may both find it so: the name of the log may lead to
 * a newer one by now, which is put back, so that it replaces no older generation.
 */
function keepOlder(path: string, found: Inode): void {
  const taken = `${path}.${process.pid}`;
  renameSync(path, taken);
  if (isSameInode(lstatSync(taken), found)) {
    const older = olderLogOf(path);
    clearPlace(older);
    renameSync(taken, older);
    return;
  }
  try {
    linkSync(taken, path);
  } catch {
    // The forward has begun another one: the lines go there.
    const file = openLog(path);
    writeSync(file, readFileSync(taken));
    closeSync(file);
  }
  rmSync(taken);
}

/** Opens a log to append. A link, a pipe or a folder in its place is cleared away, never followed. */
function openLog(path: string): number {
  clearPlace(path);
  return openSync(path, APPEND, PRIVATE);
}

function isNow(path: string, file: number): boolean {
  try {
    return isSameInode(lstatSync(path), fstatSync(file));
  } catch {
    return false;
  }
}

const isSameInode = (one: Inode, other: Inode): boolean => one.ino === other.ino && one.dev === other.dev;
