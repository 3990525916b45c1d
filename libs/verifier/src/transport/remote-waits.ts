import type { YieldingSlot } from '@plat/fair-slots';

/**
 * Milliseconds that one verification may wait for its remote before it yields its slot. Others may be delayed by one
 * second; this is less, because the next verification may have to start a process as well.
 */
const ALLOWANCE_MS = 750;

const NO_SLOT: YieldingSlot = { yield: () => undefined, resume: () => Promise.resolve() };

/**
 * Yields a verification's slot while it only waits for its remote. All its waits together may take three quarters of a
 * second; after that it holds a slot only while it has work. Therefore a remote that sends a byte now and then holds no
 * slot.
 */
export class RemoteWaits {
  /** The number of waits that are under way. */
  private waits = 0;
  private waitedMs = 0;
  private waitsSince = 0;
  private timer: NodeJS.Timeout | undefined;
  private isYielded = false;
  private isOver = false;

  constructor(private readonly slot: YieldingSlot = NO_SLOT) {}

  /** Waits for the remote. @returns the result, once the verification has a slot to work on it */
  async awaitRemote<Result>(wait: Promise<Result>): Promise<Result> {
    this.waits += 1;
    this.arm();
    try {
      return await wait;
    } finally {
      this.waits -= 1;
      this.disarm();
      if (this.waits > 0) this.arm();
      await this.resume();
    }
  }

  async *each<Item>(items: AsyncIterable<Item>): AsyncIterableIterator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = await this.awaitRemote(iterator.next());
        if (next.done) {
          isDone = true;
          return;
        }
        yield next.value;
      }
    } finally {
      if (!isDone) await iterator.return?.();
    }
  }

  /**
   * Called when the question is answered, because a request that is still under way must not affect the next question's
   * slot.
   */
  end(): void {
    this.isOver = true;
    this.disarm();
  }

  private arm(): void {
    if (this.timer !== undefined || this.isOver) return;
    this.waitsSince = performance.now();
    this.timer = setTimeout(() => this.yieldSlot(), Math.max(0, ALLOWANCE_MS - this.waitedMs));
  }

  private disarm(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waitedMs += performance.now() - this.waitsSince;
  }

  private yieldSlot(): void {
    if (this.isYielded) return;
    this.isYielded = true;
    this.slot.yield();
  }

  private async resume(): Promise<void> {
    if (!this.isYielded || this.isOver) return;
    await this.slot.resume();
    this.isYielded = false;
  }
}
