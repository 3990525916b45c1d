import type { TimeTaken } from './time-taken';

export interface SlotLimits {
  /** The number of slots. */
  total: number;
  /** Most slots of one key while no other key asks, including those that it has yielded. */
  each: number;
  /** The same while other keys ask as well; default `each`. */
  eachBeside?: number;
  /** Most callers of one key that wait. Default: no limit. */
  waitingEach?: number;
  /** Most yielded slots. If more are yielded, one of them is revoked. Default: no limit. */
  yielded?: number;
  /** Longest time that a caller waits for a slot, in milliseconds. Default: no limit. */
  waitMs?: number;
  /**
   * How long a slot stays empty after a key that takes more than an equal part of the time, in multiples of the time
   * that the key held it. Default 0.
   */
  pause?: number;
  /** The time that keys take, if the caller counts it; default: the time for which they hold these slots. */
  time?: TimeTaken;
}
