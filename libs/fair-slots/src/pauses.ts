import type { SlotLimits } from './slot-limits';
import { TimeTaken } from './time-taken';

/** Longest pause, in milliseconds. */
const PAUSE_MS_MAX = 1_000;

/** How long slots stay empty after a key that takes more than an equal part of the time. */
export class Pauses {
  private readonly factor: number;
  private readonly time: TimeTaken;

  constructor(private readonly limits: Pick<SlotLimits, 'pause' | 'time'>) {
    this.factor = limits.pause ?? 0;
    this.time = limits.time ?? new TimeTaken();
  }

  /** @returns how long the slot stays empty after the key held it, in milliseconds */
  after(key: string, heldMs: number): number {
    if (this.factor === 0) return 0;
    if (!this.limits.time) this.time.add(key, heldMs);
    return this.time.isAboveEqual(key) ? Math.min(PAUSE_MS_MAX, this.factor * heldMs) : 0;
  }
}
