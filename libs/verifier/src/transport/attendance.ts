/**
 * Milliseconds that one verification may wait for its remote before it gives up its place. Others may be delayed by one
 * second; this is less, because the next verification may have to start a process as well.
 */
const ALLOWANCE_MS = 750;

/** Gives up a worker's place among the running verifications, and takes one again. */
export interface PlaceLine {
  leave(): void;
  regain(): Promise<void>;
}

const NOBODY: PlaceLine = { leave: () => undefined, regain: () => Promise.resolve() };

/**
 * Gives up a verification's place while it only waits for its remote. All its waits together may take three quarters of
 * a second; after that it holds a place only while it has work. Therefore a remote that sends a byte now and then holds
 * no place.
 */
export class Attendance {
  private waits = 0;
  private waited = 0;
  private waitsSince = 0;
  private timer: NodeJS.Timeout | undefined;
  private isAway = false;
  private isOver = false;

  constructor(
    private readonly line: PlaceLine = NOBODY,
    private readonly allowanceMs = ALLOWANCE_MS,
  ) {}

  /** Awaits the remote. @returns the result, once the verification has a place to work on it */
  async during<Result>(wait: Promise<Result>): Promise<Result> {
    this.waits += 1;
    this.arm();
    try {
      return await wait;
    } finally {
      this.waits -= 1;
      this.disarm();
      if (this.waits > 0) this.arm();
      await this.regain();
    }
  }

  async *each<Item>(items: AsyncIterable<Item>): AsyncIterableIterator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = await this.during(iterator.next());
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
   * place.
   */
  end(): void {
    this.isOver = true;
    this.disarm();
  }

  private arm(): void {
    if (this.timer !== undefined || this.isOver) return;
    this.waitsSince = performance.now();
    this.timer = setTimeout(() => this.leave(), Math.max(0, this.allowanceMs - this.waited));
  }

  private disarm(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waited += performance.now() - this.waitsSince;
  }

  private leave(): void {
    if (this.isAway) return;
    this.isAway = true;
    this.line.leave();
  }

  private async regain(): Promise<void> {
    if (!this.isAway || this.isOver) return;
    await this.line.regain();
    this.isAway = false;
  }
}
