import { ServedKeys } from './served-keys';

/** A caller that waits for a slot. */
export interface Waiter {
  key: string;
  /** Whether it had a slot and yielded it. Such callers come before the others of their key. */
  isReturning: boolean;
  /** Called when the slot is the caller's. */
  enter(): void;
}

interface KeyLine {
  returning: Set<Waiter>;
  fresh: Set<Waiter>;
}

/** The callers that wait. The key that was served longest ago comes first, and one that was never served before it. */
export class Line {
  /** The waiting callers by key; the keys in order of arrival. */
  private readonly keys = new Map<string, KeyLine>();
  private readonly served = new ServedKeys();

  /** The number of keys with waiting callers. */
  get size(): number {
    return this.keys.size;
  }

  /** The number of callers that wait for their first slot. */
  get waiting(): number {
    let count = 0;
    for (const { fresh } of this.keys.values()) count += fresh.size;
    return count;
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** The number of the key's callers that wait for their first slot. */
  waitingOf(key: string): number {
    return this.keys.get(key)?.fresh.size ?? 0;
  }

  join(waiter: Waiter): void {
    let line = this.keys.get(waiter.key);
    if (!line) this.keys.set(waiter.key, (line = { returning: new Set(), fresh: new Set() }));
    (waiter.isReturning ? line.returning : line.fresh).add(waiter);
  }

  leave(waiter: Waiter): void {
    const line = this.keys.get(waiter.key);
    if (!line) return;
    (waiter.isReturning ? line.returning : line.fresh).delete(waiter);
    if (line.returning.size + line.fresh.size === 0) this.keys.delete(waiter.key);
  }

  /** Notes that a caller of the key got a slot. */
  noteServed(key: string): void {
    this.served.note(key);
  }

  /**
   * Takes the next caller out of the line.
   *
   * @param mayServe whether a caller of the key may get its first slot
   * @returns undefined if none may
   */
  next(mayServe: (key: string) => boolean): Waiter | undefined {
    let first: KeyLine | undefined;
    let longestAgo = Infinity;
    for (const [key, line] of this.keys) {
      const last = this.served.lastOf(key);
      if (last >= longestAgo || (line.returning.size === 0 && !mayServe(key))) continue;
      first = line;
      longestAgo = last;
    }
    if (!first) return undefined;
    const [waiter] = first.returning.size > 0 ? first.returning : first.fresh;
    this.leave(waiter!);
    return waiter;
  }
}
