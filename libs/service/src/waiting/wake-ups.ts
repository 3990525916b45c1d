/** A version of something that is watched; null if there is no such thing. Equal versions mean an equal state. */
export type Version = string | null;

interface Watched<Key> {
  key: Key;
  /** Undefined until it is learnt. */
  version: Version | undefined;
  waiters: Set<Waiter>;
}

/** A waiter for one key. */
export interface Waiter {
  /** The key's version; undefined until it is learnt. */
  version: Version | undefined;
  /** Whether the version is another than at the last `see`, or at the beginning. */
  hasNews: boolean;
  /** Takes note of the present version. What is read after that is at least as new. */
  see(): void;
  /** Sets who is called, once, by the next version that is news. */
  onNews(wake: () => void): void;
  leave(): void;
}

/**
 * Records which waiters wait for which key, and wakes those of a version. It asks nothing and keeps no time.
 *
 * A waiter is first woken by the first version of its key, and then by each other one. It reads after `see`, so that a
 * change between its reading and the next version wakes it: no change is missed, and some wake in vain.
 */
export class WakeUps<Key> {
  private readonly watched = new Map<string, Watched<Key>>();
  private count = 0;

  /** @param nameOf the same for two keys exactly if they are the same */
  constructor(private readonly nameOf: (key: Key) => string) {}

  get waiters(): number {
    return this.count;
  }

  /** The watched keys, each with its name. */
  get keys(): [string, Key][] {
    return Array.from(this.watched, ([name, { key }]) => [name, key]);
  }

  /** The given key replaces an equal one, since what it carries besides its name may be fresher. */
  add(key: Key): Waiter {
    const name = this.nameOf(key);
    const known = this.watched.get(name);
    const watched: Watched<Key> = known ?? { key, version: undefined, waiters: new Set() };
    watched.key = key;
    this.watched.set(name, watched);
    const waiter = new KeyWaiter(watched, () => {
      if (!watched.waiters.delete(waiter)) return;
      this.count -= 1;
      if (watched.waiters.size === 0) this.watched.delete(name);
    });
    watched.waiters.add(waiter);
    this.count += 1;
    return waiter;
  }

  /** Takes versions by the names of their keys, and wakes those for whom they are news. */
  learn(versions: Iterable<readonly [string, Version]>): void {
    for (const [name, version] of versions) {
      const watched = this.watched.get(name);
      if (!watched || watched.version === version) continue;
      watched.version = version;
      for (const waiter of watched.waiters) (waiter as KeyWaiter).wake();
    }
  }
}

class KeyWaiter implements Waiter {
  private seen: Version | undefined;
  private waking: (() => void) | undefined;

  constructor(
    private readonly watched: { version: Version | undefined },
    readonly leave: () => void,
  ) {}

  get version(): Version | undefined {
    return this.watched.version;
  }

  get hasNews(): boolean {
    return this.version !== this.seen;
  }

  see(): void {
    this.seen = this.version;
  }

  onNews(wake: () => void): void {
    this.waking = wake;
  }

  wake(): void {
    const { waking } = this;
    this.waking = undefined;
    if (this.hasNews) waking?.();
  }
}
