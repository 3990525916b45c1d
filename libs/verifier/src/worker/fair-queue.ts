/** More work is waiting than this deployment keeps for one tenant. */
export class QueueFull extends Error {}

export interface FairQueueLimits {
  /** Tasks that run at once. */
  total: number;
  /** Tasks of one key that run at once. */
  perKey: number;
  /** Tasks of one key that wait. */
  waitingPerKey: number;
}

/**
 * Runs tasks under two bounds. A free place goes to the key that was served longest ago, so whoever has a
 * hundred tasks waiting delays the only task of another by one at most.
 */
export class FairQueue {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** Keys in the order in which they are served next; a key goes to the end when one of its tasks starts. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks that run and that wait at this moment. */
  get load(): { running: number; waiting: number } {
    const waiting = [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
    return { running: this.running, waiting };
  }

  /** @throws QueueFull; the signal's reason when it is aborted before the task starts; what the task throws */
  async run<Result>(key: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.turn(key, signal);
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.count(key, -1);
      this.startWaiting();
    }
  }

  private async turn(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const waiting = this.waiting.get(key) ?? [];
    if (waiting.length >= this.limits.waitingPerKey) throw new QueueFull();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.withdraw(key, start);
        reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.set(key, [...waiting, start]);
      this.startWaiting();
    });
  }

  private startWaiting(): void {
    while (this.running < this.limits.total) {
      const next = [...this.waiting].find(([key]) => (this.runningOf.get(key) ?? 0) < this.limits.perKey);
      if (next === undefined) return;
      const [key, [start, ...others]] = next;
      this.waiting.delete(key);
      if (others.length > 0) this.waiting.set(key, others);
      this.running += 1;
      this.count(key, 1);
      start?.();
    }
  }

  private withdraw(key: string, start: () => void): void {
    const others = (this.waiting.get(key) ?? []).filter((other) => other !== start);
    if (others.length > 0) this.waiting.set(key, others);
    else this.waiting.delete(key);
  }

  private count(key: string, change: 1 | -1): void {
    const count = (this.runningOf.get(key) ?? 0) + change;
    if (count === 0) this.runningOf.delete(key);
    else this.runningOf.set(key, count);
  }
}
