/** Milliseconds that one verification may wait for its remote while it keeps its place. */
const ALLOWANCE_MS = 1_000;

/** How a worker gives up its place among the verifications that run, and takes one again. */
export interface PlaceLine {
  leave(): void;
  regain(): Promise<void>;
}

const NOBODY: PlaceLine = { leave: () => undefined, regain: () => Promise.resolve() };

/**
 * Whether a verification works, or only waits for its remote. Its waits together may take a second; after that it has a
 * place only while there is something to be done. A remote that sends a byte now and then holds no place by that.
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

  /** What the wait brings, with a place for the work on it. */
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

  /** The question is answered: a request that is still under way says nothing of the place of the next one. */
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
