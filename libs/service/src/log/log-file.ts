import { EventEmitter } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';

const PRIVATE_MODE = 0o600;
const NEWLINE = 0x0a;

/**
 * A log's file. A write that fails ends nothing: it is reported, and the next one is tried again, since a full disk may have
 * room later. Node's own stream of a file ends at the first failure. It emits nothing.
 */
export class LogFile extends EventEmitter {
  /** No write waits: each has succeeded or failed when it returns. */
  readonly writableLength = 0;
  /** Whether the file ends within a line. */
  private isBroken = false;
  private isClosed = false;

  /** @param fd of an open file */
  constructor(private readonly fd: number) {
    super();
  }

  /** Opens a file that only its owner reads, for lines at its end. */
  static open(path: string): LogFile {
    return new LogFile(openSync(path, 'a', PRIVATE_MODE));
  }

  /** Lines that come later are dropped. */
  close(): void {
    this.isClosed = true;
    closeSync(this.fd);
  }

  /** @param done is called at once, after a failure with the rest that is not in the file */
  write(text: string, done: (error?: Error | null, rest?: string) => void): void {
    if (this.isClosed) return done();
    const start = this.isBroken ? '\n' : '';
    const bytes = Buffer.from(start + text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.fd, bytes, written);
      this.isBroken = false;
    } catch (error) {
      if (written > 0) this.isBroken = bytes[written - 1] !== NEWLINE;
      return done(error as Error, bytes.toString('utf8', Math.max(written, start.length)));
    }
    done();
  }
}
