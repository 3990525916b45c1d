import { ApiError } from '@plat/contracts/core';
import { TimeTaken } from './time-taken';

export interface ShareLimits {
  /** The number of slots. */
  total: number;
  /** Most slots of one key while no other key asks. */
  each: number;
  /** Most slots of one key while other keys ask as well; default `each`. */
  eachBeside?: number;
  /**
   * How long a slot stays empty after a key that takes more than an equal part of the time, in multiples of the time
   * that the key held it. Default 0.
   */
  pause?: number;
  /** The time that keys take, if the caller counts it; default: the time for which they hold these slots. */
  time?: TimeTaken;
  /** Longest time that a key waits for a slot. */
  waitMs: number;
}

/** The caller that asked for a slot has gone away, which is no fault of the service. */
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

/** How long after its last request a key still counts as asking, in milliseconds. */
const BESIDE_MS = 1_000;
/** Longest time that a slot stays empty, in milliseconds. */
const PAUSE_MS_MAX = 1_000;

/**
 * Slots that several keys share, as tenants share a pool's connections. Waiters are served in turn, key by key, so that
 * one key's waiting line never delays another's. A key that is alone may take more slots. A key that takes more
 * than an equal part of the time can be made to pause after each turn, so that it leaves others room in resources
 * that the slots do not divide, such as the processor.
 */
export class FairShares {
  private readonly holders = new Map<string, Holder>();
  /** The keys with waiters, the one served longest ago first. */
  private readonly turns = new Set<string>();
  private readonly time: TimeTaken;
  private used = 0;
  private look: NodeJS.Timeout | undefined;
  /** The key that asked last, and when another key last asked, in milliseconds of the process. */
  private asking = { key: '', at: -Infinity, otherAt: -Infinity };

  constructor(private readonly limits: ShareLimits) {
    this.time = limits.time ?? new TimeTaken();
  }

  /** The number of waiters, over all keys. */
  get waiting(): number {
    let count = 0;
    for (const key of this.turns) count += this.holders.get(key)!.waiting.size;
    return count;
  }

  /**
   * Takes a slot.
   *
   * @param gone aborted when the slot is no longer wanted: the waiter then leaves the line
   * @returns a function that gives the slot back
   * @throws SERVICE_UNAVAILABLE when no slot is free in time, or `gone` is aborted
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
    if (this.holders.size > 1 || this.limits.time?.hasOthers(key)) return false;
    const { asking } = this;
    const otherAt = asking.key === key ? asking.otherAt : asking.at;
    return performance.now() - otherAt > BESIDE_MS;
  }

  private take(key: string, holder: Holder): () => void {
    this.used += 1;
    holder.held += 1;
    const since = performance.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const pauseMs = this.pauseAfter(key, performance.now() - since);
      if (pauseMs === 0) this.giveBack(key, holder);
      else setTimeout(() => this.giveBack(key, holder), pauseMs).unref();
    };
  }

  private giveBack(key: string, holder: Holder): void {
    this.used -= 1;
    holder.held -= 1;
    this.dropIdle(key, holder);
    this.serveNext();
  }

  /** @returns how long the slot stays empty after the key held it, in milliseconds */
  private pauseAfter(key: string, heldMs: number): number {
    const { pause = 0, time } = this.limits;
    if (pause === 0) return 0;
    if (!time) this.time.add(key, heldMs);
    return this.time.isAboveEqual(key) ? Math.min(PAUSE_MS_MAX, pause * heldMs) : 0;
  }

  /** Serves waiters whose key may hold more slots, because the other keys no longer ask. */
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
      // Moves the key behind the others, if it still has waiters.
      if (this.turns.delete(key)) this.turns.add(key);
      waiter.enter(this.take(key, this.holderOf(key)));
    }
  }

  /** Removes a waiter from its line. */
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
