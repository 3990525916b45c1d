/** Time after which taken time counts half, in milliseconds. */
const HALF_LIFE_MS = 1_000;
/** Less than this is forgotten, in milliseconds. */
const FORGOTTEN_MS = 1;

interface Taken {
  ms: number;
  /** When `ms` was computed, in milliseconds of the process. */
  at: number;
}

/** How much time each of several keys took lately. */
export class TimeTaken {
  private readonly keys = new Map<string, Taken>();
  private all: Taken = { ms: 0, at: 0 };
  private forgotAt = 0;

  add(key: string, ms: number): void {
    const at = performance.now();
    this.keys.set(key, { ms: this.of(key, at) + ms, at });
    this.all = { ms: faded(this.all, at) + ms, at };
    if (at - this.forgotAt > HALF_LIFE_MS) this.forget(at);
  }

  /** Whether keys other than this one took some time lately. */
  hasOthers(key: string): boolean {
    const at = performance.now();
    return faded(this.all, at) - this.of(key, at) > FORGOTTEN_MS;
  }

  /** Whether the key took more than an equal part of what all keys took lately. False for a key that is alone. */
  isAboveEqual(key: string): boolean {
    const at = performance.now();
    return this.hasOthers(key) && this.of(key, at) > faded(this.all, at) / this.keys.size;
  }

  private of(key: string, at: number): number {
    const taken = this.keys.get(key);
    return taken ? faded(taken, at) : 0;
  }

  private forget(at: number): void {
    for (const [key, taken] of this.keys) {
      if (faded(taken, at) < FORGOTTEN_MS) this.keys.delete(key);
    }
    this.forgotAt = at;
  }
}

const faded = ({ ms, at }: Taken, now: number): number => ms * 0.5 ** ((now - at) / HALF_LIFE_MS);
