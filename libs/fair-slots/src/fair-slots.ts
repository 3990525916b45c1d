import { ASKING_MS, AskingKeys } from './asking-keys';
import { Line, type Waiter } from './line';
import { Pauses } from './pauses';
import { CallerGone, LineFull, refusedSlot } from './refused-slot';
import { HeldSlot, type Slot, type SlotOwner } from './slot';
import type { SlotLimits } from './slot-limits';
import { waitInLine } from './wait-in-line';
import { YieldedSlots } from './yielded-slots';

/**
 * Slots that several keys share, as tenants share a pool's connections. A free slot goes to the key that was served
 * longest ago, so a key with a hundred waiting callers delays the only caller of another key by at most one of them. A
 * key that is alone may have more slots. A key that takes more than an equal part of the time can be made to pause after
 * each slot, so that it leaves others room in resources that the slots do not divide, such as the processor.
 */
export class FairSlots {
  private readonly line = new Line();
  private readonly asking = new AskingKeys();
  private readonly pauses: Pauses;
  private readonly yielded: YieldedSlots;
  /** The slots in use and those that stay empty after one. */
  private held = 0;
  /** The slots of each key, including its yielded ones. */
  private readonly heldBy = new Map<string, number>();
  private look: NodeJS.Timeout | undefined;

  constructor(private readonly limits: SlotLimits) {
    this.pauses = new Pauses(limits);
    this.yielded = new YieldedSlots(limits.yielded ?? Infinity);
  }

  /** The slots in use, the callers that wait for their first slot, and the slots that are yielded, at this moment. */
  get load(): { held: number; waiting: number; yielded: number } {
    return { held: this.held, waiting: this.line.waiting, yielded: this.yielded.size };
  }

  /**
   * Acquires a slot.
   *
   * @param gone aborted when the slot is no longer wanted: the caller then leaves the line
   * @throws SERVICE_UNAVAILABLE when no slot is free in time; caused by CallerGone or LineFull if that is the reason
   */
  async acquire(key: string, gone?: AbortSignal): Promise<Slot> {
    if (gone?.aborted) throw refusedSlot(new CallerGone());
    this.asking.note(key);
    if (!this.line.has(key) && this.hasRoom(key)) return this.grant(key);
    const { waitingEach = Infinity, waitMs } = this.limits;
    if (this.line.waitingOf(key) >= waitingEach) throw refusedSlot(new LineFull());
    const slot = waitInLine(this.line, { key, waitMs, gone, grant: () => this.grant(key) });
    this.lookAgain();
    return slot;
  }

  /** Runs work that holds a slot. @throws like `acquire`; any error of the work */
  async run<Result>(key: string, work: (slot: Slot) => Promise<Result>, gone?: AbortSignal): Promise<Result> {
    const slot = await this.acquire(key, gone);
    try {
      return await work(slot);
    } finally {
      slot.release();
    }
  }

  private hasRoom(key: string): boolean {
    const { total, each, eachBeside = each } = this.limits;
    return this.held < total && (this.heldBy.get(key) ?? 0) < (this.isAlone(key) ? each : eachBeside);
  }

  private isAlone(key: string): boolean {
    const isOnlyOne = (keys: { size: number; has(key: string): boolean }) =>
      keys.size === (keys.has(key) ? 1 : 0);
    if (!isOnlyOne(this.heldBy) || !isOnlyOne(this.line)) return false;
    return !this.limits.time?.hasOthers(key) && !this.asking.hasOthers(key);
  }

  private grant(key: string): Slot {
    this.line.noteServed(key);
    this.held += 1;
    this.heldBy.set(key, (this.heldBy.get(key) ?? 0) + 1);
    return new HeldSlot(key, this.owner);
  }

  /** Serves waiting callers whose key may hold more slots, because the other keys no longer ask. */
  private lookAgain(): void {
    const { each, eachBeside = each } = this.limits;
    if (eachBeside === each || this.line.size === 0) return;
    this.look ??= setTimeout(() => {
      this.look = undefined;
      this.serve();
      this.lookAgain();
    }, ASKING_MS).unref();
  }

  private serve(): void {
    while (this.held < this.limits.total) {
      const waiter = this.line.next((key) => this.hasRoom(key));
      if (!waiter) return;
      waiter.enter();
    }
  }

  private removeOne(key: string): void {
    const held = this.heldBy.get(key)! - 1;
    if (held === 0) this.heldBy.delete(key);
    else this.heldBy.set(key, held);
    this.serve();
  }

  private readonly owner: SlotOwner = {
    release: ({ key, heldMs }, pauseMs = this.pauses.after(key, heldMs)) => {
      const free = () => {
        this.held -= 1;
        this.removeOne(key);
      };
      if (pauseMs === 0) free();
      else setTimeout(free, pauseMs).unref();
    },
    yield: (slot) => {
      this.held -= 1;
      this.yielded.add(slot);
      this.serve();
    },
    resume: (slot, enter) => {
      const { key } = slot;
      const waiter: Waiter = {
        key,
        isReturning: true,
        enter: () => {
          this.yielded.delete(slot);
          this.line.noteServed(key);
          this.held += 1;
          enter();
        },
      };
      this.line.join(waiter);
      this.serve();
      return () => this.line.leave(waiter);
    },
    releaseYielded: (slot) => {
      this.yielded.delete(slot);
      this.removeOne(slot.key);
    },
  };
}
