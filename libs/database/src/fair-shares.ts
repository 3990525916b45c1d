import { ApiError } from '@plat/contracts/core';

export interface ShareLimits {
  /** Slots that there are. */
  total: number;
  /** Slots that one key holds at most. */
  each: number;
  /** Longest time that a key waits for a slot. */
  waitMs: number;
}

interface Waiter {
  enter(leave: () => void): void;
  timer: NodeJS.Timeout;
  stop(): void;
}

interface Holder {
  held: number;
  waiting: Set<Waiter>;
}

/**
 * Slots that several keys share, such as tenants the connections of a pool. Whoever waits is served in turn, key by key,
 * so that one key's waiting line never delays another's.
 */
export class FairShares {
  private readonly holders = new Map<string, Holder>();
  /** The keys that somebody waits for, the one served longest ago first. */
  private readonly turns = new Set<string>();
  private used = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** How many wait, over all keys. */
  get waiting(): number {
    let count = 0;
    for (const key of this.turns) count += this.holders.get(key)!.waiting.size;
    return count;
  }

  /**
   * Takes a slot; what it answers gives it back.
   *
   * @param gone aborted when nobody wants the slot any more: the place in the line is given up
   * @throws SERVICE_UNAVAILABLE when none was had in time
   */
  enter(key: string, gone?: AbortSignal): Promise<() => void> | (() => void) {
    const holder = this.holderOf(key);
    if (holder.waiting.size === 0 && this.hasRoom(holder)) return this.take(key, holder);
    return new Promise((resolve, reject) => {
      const giveUp = (why: string) => {
        this.forget(key, holder, waiter);
        reject(new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(why) }));
      };
      const { waitMs } = this.limits;
      const timer = setTimeout(() => giveUp(`no slot in ${waitMs} ms`), waitMs);
      const leave = () => giveUp('nobody waits any more');
      const waiter: Waiter = { timer, enter: resolve, stop: () => gone?.removeEventListener('abort', leave) };
      gone?.addEventListener('abort', leave, { once: true });
      holder.waiting.add(waiter);
      this.turns.add(key);
    });
  }

  private hasRoom({ held }: Holder): boolean {
    return this.used < this.limits.total && held < this.limits.each;
  }

  private take(key: string, holder: Holder): () => void {
    this.used += 1;
    holder.held += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.used -= 1;
      holder.held -= 1;
      this.dropIdle(key, holder);
      this.serveNext();
    };
  }

  private serveNext(): void {
    for (const key of this.turns) {
      if (this.used >= this.limits.total) return;
      const holder = this.holders.get(key)!;
      if (!this.hasRoom(holder)) continue;
      const waiter = holder.waiting.values().next().value!;
      this.forget(key, holder, waiter);
      // Behind the others, if it still waits.
      if (this.turns.delete(key)) this.turns.add(key);
      waiter.enter(this.take(key, this.holderOf(key)));
    }
  }

  /** The waiter does not wait any more. */
  private forget(key: string, holder: Holder, waiter: Waiter): void {
    clearTimeout(waiter.timer);
    waiter.stop();
    holder.waiting.delete(waiter);
    if (holder.waiting.size === 0) this.turns.delete(key);
    this.dropIdle(key, holder);
  }

  private holderOf(key: string): Holder {
    let holder = this.holders.get(key);
    if (!holder) this.holders.set(key, (holder = { held: 0, waiting: new Set() }));
    return holder;
  }

  private dropIdle(key: string, { held, waiting }: Holder): void {
    if (held === 0 && waiting.size === 0) this.holders.delete(key);
  }
}
