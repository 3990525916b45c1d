import { openSync, readSync } from 'node:fs';

const TICK_MS = 1;
const LINE_BYTES = 100;

/** Measures for how long the event loop of the main thread is blocked. */
export class LoopWatch {
  /** The longest time between two turns, beyond the pause between them, in milliseconds. */
  longestMs = 0;
  /** The same without the time for which the thread was ready and other processes had the processors. */
  longestOwnMs = 0;
  private readonly waits = openWaits();
  private last = { at: 0, waitedMs: 0 };

  start(): void {
    this.last = this.now();
    setInterval(() => this.turn(), TICK_MS).unref();
  }

  private turn(): void {
    const now = this.now();
    const gapMs = now.at - this.last.at - TICK_MS;
    this.longestMs = Math.max(this.longestMs, gapMs);
    this.longestOwnMs = Math.max(this.longestOwnMs, gapMs - (now.waitedMs - this.last.waitedMs));
    this.last = now;
  }

  private now(): { at: number; waitedMs: number } {
    return { at: performance.now(), waitedMs: this.waits() };
  }
}

/** Milliseconds for which the main thread has waited for a processor so far; always 0 if the system does not report it. */
function openWaits(): () => number {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const line = Buffer.alloc(LINE_BYTES);
    return () => {
      const text = line.toString('latin1', 0, readSync(file, line, 0, LINE_BYTES, 0));
      return Number(text.split(' ')[1]) / 1e6;
    };
  } catch {
    return () => 0;
  }
}
