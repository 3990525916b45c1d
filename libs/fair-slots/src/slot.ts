/** A slot as its holder has it while it works: it may wait without it. */
export interface YieldingSlot {
  /** Lets others have the slot while its holder only waits. It still counts among those of its key. */
  yield(): void;
  /** Resolves when the holder has a slot again, which comes before those of new callers of its key. */
  resume(): Promise<void>;
}

/** A slot that a caller holds until it releases it. */
export interface Slot extends YieldingSlot {
  /**
   * Gives the slot back; the second time without effect.
   *
   * @param pauseMs how long the slot then stays empty, in milliseconds; default: as its limits say
   */
  release(pauseMs?: number): void;
  /** Aborted if too many slots are yielded, so that the holder of this one has to end. */
  revoked: AbortSignal;
}

/** The slots to which a slot belongs. */
export interface SlotOwner {
  release(slot: HeldSlot, pauseMs?: number): void;
  /** Releases a slot that its holder has yielded. */
  releaseYielded(slot: HeldSlot): void;
  yield(slot: HeldSlot): void;
  /** Calls `enter` when there is a slot again. @returns a function that leaves the line */
  resume(slot: HeldSlot, enter: () => void): () => void;
}

export class HeldSlot implements Slot {
  state: 'held' | 'yielded' | 'resuming' | 'released' = 'held';
  private since = performance.now();
  private revocation: AbortController | undefined;
  private resuming: Promise<void> | undefined;
  private leaveLine: (() => void) | undefined;

  constructor(
    readonly key: string,
    private readonly owner: SlotOwner,
  ) {}

  /** How long it has been held, in milliseconds. */
  get heldMs(): number {
    return performance.now() - this.since;
  }

  get revoked(): AbortSignal {
    return this.ownRevocation.signal;
  }

  private get ownRevocation(): AbortController {
    return (this.revocation ??= new AbortController());
  }

  get isRevoked(): boolean {
    return this.revocation?.signal.aborted ?? false;
  }

  revoke(): void {
    this.ownRevocation.abort(new Error('gave way to others'));
  }

  release(pauseMs?: number): void {
    const { state } = this;
    if (state === 'released') return;
    this.state = 'released';
    if (state === 'resuming') this.leaveLine?.();
    if (state === 'held') this.owner.release(this, pauseMs);
    else this.owner.releaseYielded(this);
  }

  yield(): void {
    if (this.state !== 'held') return;
    this.state = 'yielded';
    this.owner.yield(this);
  }

  resume(): Promise<void> {
    if (this.state !== 'yielded') return this.resuming ?? Promise.resolve();
    this.state = 'resuming';
    this.resuming = new Promise((resolve) => {
      const enter = () => {
        this.state = 'held';
        this.since = performance.now();
        this.resuming = undefined;
        resolve();
      };
      this.leaveLine = this.owner.resume(this, enter);
    });
    return this.resuming;
  }
}
