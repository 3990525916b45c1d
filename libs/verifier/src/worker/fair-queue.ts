/** Most keys for which the queue remembers how long ago they were served. */
const REMEMBERED_MAX = 10_000;

/** Too many tasks of one tenant are waiting. */
export class QueueFull extends Error {}

export interface FairQueueLimits {
  /** Tasks that have a place at once. */
  total: number;
  /** Tasks of one key that run at once, with a place or without. */
  perKey: number;
  /** Tasks of one key that wait. */
  waitingPerKey: number;
  /** Tasks that run on after they have given up their place. */
  away: number;
}

/**
 * A running task's place. The task gives it up while it waits for a third party, and takes one again before it works.
 */
export interface Place {
  leave(): void;
  /** Resolves when the task has a place; at once if it has not given its place up. */
  regain(): Promise<void>;
  /** Aborted if too many tasks have given up their place and this one has to end. */
  evicted: AbortSignal;
}

interface Waiting {
  start(): void;
  /** Set for a running task that wants a place again. */
  isReturning: boolean;
}

/**
 * Runs tasks under two bounds. A free place goes to the key that was served longest ago, so a key with a hundred
 * waiting tasks delays the only task of another key by at most one task.
 */
export class FairQueue {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** The waiting tasks by key; the keys in order of arrival. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** The keys that have been served, the one served longest ago first. */
  private readonly served = new Set<string>();
  /** The places that were given up, the first one first. */
  private readonly away = new Set<HeldPlace>();

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks with a place, tasks that wait for their first one, and tasks that run without one, at this moment. */
  get load(): { running: number; waiting: number; silent: number } {
    const all = [...this.waiting.values()].flat();
    const waiting = all.filter(({ isReturning }) => !isReturning).length;
    return { running: this.running, waiting, silent: this.away.size };
  }

  /** @throws QueueFull; the signal's reason if it is aborted before the task starts; any error of the task */
  async run<Result>(
    key: string,
    task: (place: Place) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.turn(key, signal);
    const place = new HeldPlace(key, {
      leave: () => this.leave(place),
      regain: (start) => this.wait(key, { start: () => this.restart(place, start), isReturning: true }),
    });
    try {
      return await task(place);
    } finally {
      this.end(key, place);
    }
  }

  private async turn(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const waiting = (this.waiting.get(key) ?? []).filter(({ isReturning }) => !isReturning);
    if (waiting.length >= this.limits.waitingPerKey) throw new QueueFull();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.withdraw(key, own);
        reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        this.count(key, 1);
        resolve();
      };
      const own = { start, isReturning: false };
      signal?.addEventListener('abort', abort, { once: true });
      this.wait(key, own);
    });
  }

  /**
   * Adds a waiting task. A returning task goes before those of its key that have not started.
   * @returns a function that withdraws the task
   */
  private wait(key: string, own: Waiting): () => void {
    const others = this.waiting.get(key) ?? [];
    this.waiting.set(key, own.isReturning ? [own, ...others] : [...others, own]);
    this.startWaiting();
    return () => this.withdraw(key, own);
  }

  private startWaiting(): void {
    while (this.running < this.limits.total) {
      const key = this.nextKey();
      if (key === undefined) return;
      const [first, ...others] = this.waiting.get(key)!;
      if (others.length > 0) this.waiting.set(key, others);
      else this.waiting.delete(key);
      this.note(key);
      this.running += 1;
      first?.start();
    }
  }

  /** A key that was never served comes first, so that no number of other waiting tasks delays it. */
  private nextKey(): string | undefined {
    const ready = (key: string) => this.waiting.get(key)?.[0]?.isReturning === true || this.mayStart(key);
    for (const key of this.waiting.keys()) if (!this.served.has(key) && ready(key)) return key;
    for (const key of this.served) if (this.waiting.has(key) && ready(key)) return key;
    return undefined;
  }

  private note(key: string): void {
    this.served.delete(key);
    this.served.add(key);
    if (this.served.size <= REMEMBERED_MAX) return;
    const [oldest] = this.served;
    this.served.delete(oldest!);
  }

  private mayStart(key: string): boolean {
    return (this.runningOf.get(key) ?? 0) < this.limits.perKey;
  }

  private leave(place: HeldPlace): void {
    this.running -= 1;
    this.away.add(place);
    if (this.away.size > this.limits.away) this.evictOne();
    this.startWaiting();
  }

  /**
   * Evicts a task of the key with the most places given up, so that no key loses its only one while another has
   * several.
   */
  private evictOne(): void {
    const away = [...this.away].filter(({ state }) => state === 'away');
    const countOf = (key: string) => away.filter((place) => place.key === key).length;
    const most = Math.max(...away.map(({ key }) => countOf(key)));
    away.find(({ key }) => countOf(key) === most)?.evict();
  }

  private restart(place: HeldPlace, start: () => void): void {
    this.away.delete(place);
    start();
  }

  private end(key: string, place: HeldPlace): void {
    if (place.state === 'held') this.running -= 1;
    this.away.delete(place);
    place.end();
    this.count(key, -1);
    this.startWaiting();
  }

  private withdraw(key: string, own: Waiting): void {
    const others = (this.waiting.get(key) ?? []).filter((other) => other !== own);
    if (others.length > 0) this.waiting.set(key, others);
    else this.waiting.delete(key);
  }

  private count(key: string, change: 1 | -1): void {
    const count = (this.runningOf.get(key) ?? 0) + change;
    if (count === 0) this.runningOf.delete(key);
    else this.runningOf.set(key, count);
  }
}

class HeldPlace implements Place {
  state: 'held' | 'away' | 'returning' | 'ended' = 'held';
  private readonly eviction = new AbortController();
  private returning: Promise<void> | undefined;
  private withdraw: (() => void) | undefined;

  constructor(
    readonly key: string,
    private readonly queue: { leave(): void; regain(start: () => void): () => void },
  ) {}

  get evicted(): AbortSignal {
    return this.eviction.signal;
  }

  leave(): void {
    if (this.state !== 'held') return;
    this.state = 'away';
    this.queue.leave();
  }

  regain(): Promise<void> {
    if (this.state !== 'away') return this.returning ?? Promise.resolve();
    this.state = 'returning';
    this.returning = new Promise((resolve) => {
      const start = () => {
        this.state = 'held';
        this.returning = undefined;
        resolve();
      };
      this.withdraw = this.queue.regain(start);
    });
    return this.returning;
  }

  evict(): void {
    this.eviction.abort(new Error('gave way to others'));
  }

  end(): void {
    if (this.state === 'returning') this.withdraw?.();
    this.state = 'ended';
  }
}
