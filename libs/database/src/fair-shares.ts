import { ApiError } from '@plat/contracts/core';

export interface ShareLimits {
  /** Slots that there are. */
  total: number;
  /** Slots that one key holds at most while no other key asks. */
  each: number;
  /** The same while other keys ask as well; default `each`. */
  eachBeside?: number;
  /** Longest time that a key waits for a slot. */
  waitMs: number;
}

/** Whoever asked for a slot has gone away: no fault of the service. */
export class NobodyWaits extends Error {
  constructor() {
    super('nobody waits any more');
  }
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

/** How long after its last visit a key still counts as one that asks, in milliseconds. */
const BESIDE_MS = 1_000;

/**
 * Slots that several keys share, such as tenants the connections of a pool. Whoever waits is served in turn, key by key,
 * so that one key's waiting line never delays another's. A key that is alone may take what would delay others.
 */
export class FairShares {
  private readonly holders = new Map<string, Holder>();
  /** The keys that somebody waits for, the one served longest ago first. */
  private readonly turns = new Set<string>();
  private used = 0;
  private look: NodeJS.Timeout | undefined;
  /** The key that asked last, and when any other one last did, in milliseconds of the process. */
  private asking = { key: '', at: -Infinity, otherAt: -Infinity };

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
   * @throws SERVICE_UNAVAILABLE when none was had in time, or nobody wants it any more
   */
  enter(key: string, gone?: AbortSignal): Promise<() => void> | (() => void) {
    if (gone?.aborted) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new NobodyWaits() });
    this.note(key);
    const holder = this.holderOf(key);
    if (holder.waiting.size === 0 && this.hasRoom(key, holder)) return this.take(key, holder);
    return new Promise((resolve, reject) => {
      const giveUp = (cause: Error) => {
        this.forget(key, holder, waiter);
        reject(new ApiError('SERVICE_UNAVAILABLE', { cause }));
      };
      const { waitMs } = this.limits;
      const timer = setTimeout(() => giveUp(new Error(`no slot in ${waitMs} ms`)), waitMs);
      const leave = () => giveUp(new NobodyWaits());
      const waiter: Waiter = { timer, enter: resolve, stop: () => gone?.removeEventListener('abort', leave) };
      gone?.addEventListener('abort', leave, { once: true });
      holder.waiting.add(waiter);
      this.turns.add(key);
      this.lookAgain();
    });
  }

  private note(key: string): void {
    const { asking } = this;
    const at = performance.now();
    if (asking.key === key) asking.at = at;
    else this.asking = { key, at, otherAt: asking.at };
  }

  private hasRoom(key: string, { held }: Holder): boolean {
    const { total, each, eachBeside = each } = this.limits;
    return this.used < total && held < (this.isAlone(key) ? each : eachBeside);
  }

  private isAlone(key: string): boolean {
    if (this.holders.size > 1) return false;
    const { asking } = this;
    const otherAt = asking.key === key ? asking.otherAt : asking.at;
    return performance.now() - otherAt > BESIDE_MS;
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

  /** Who waits because others asked has room once they do so no more, though nobody leaves. */
  private lookAgain(): void {
    const { each, eachBeside = each } = this.limits;
    if (eachBeside === each || this.turns.size === 0) return;
    this.look ??= setTimeout(() => {
      this.look = undefined;
      this.serveNext();
      this.lookAgain();
    }, BESIDE_MS).unref();
  }

  private serveNext(): void {
    for (const key of this.turns) {
      if (this.used >= this.limits.total) return;
      const holder = this.holders.get(key)!;
      if (!this.hasRoom(key, holder)) continue;
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
