import { ApiError } from '@plat/contracts/core';
import { FairShares, NobodyWaits } from '@plat/database';

/** Requests of one organisation that are open at once, however slowly their bodies come and their answers are taken. */
const OPEN_EACH = 32;
/** Those of them that are worked on at once. */
const IN_WORK_EACH = 32;
/** The same while another organisation asks: a request of its own has these beside it at most. */
const IN_WORK_BESIDE = 4;
/** How long a request waits for its turn before it is 503, in milliseconds. */
const WAIT_MS = 30_000;

/** Whose turn it is among a service's requests. The others wait: none is refused for rate. */
export class Turns {
  readonly open = new FairShares({ total: Infinity, each: OPEN_EACH, waitMs: WAIT_MS });
  readonly work = new FairShares({
    total: Infinity,
    each: IN_WORK_EACH,
    eachBeside: IN_WORK_BESIDE,
    waitMs: WAIT_MS,
  });

  /** How many requests wait, over all organisations. */
  get waiting(): number {
    return this.open.waiting + this.work.waiting;
  }
}

/** A request's turn among those of its organisation, until it is answered. */
export class Turn {
  private readonly gone = new AbortController();
  private close: (() => void) | undefined;
  private leave: (() => void) | undefined;

  constructor(
    private readonly turns: Turns,
    private readonly key: string,
  ) {}

  /** @throws SERVICE_UNAVAILABLE when it does not come in time, or the caller has gone away */
  async take(): Promise<void> {
    this.close = await this.turns.open.enter(this.key, this.gone.signal);
    await this.work();
  }

  /** The request is answered, or its caller has gone away. */
  end(): void {
    this.gone.abort();
    this.giveBack();
  }

  /** The work is done, and the answer is on its way to a caller who may take long to read it. */
  rest(): void {
    this.leave?.();
    this.leave = undefined;
  }

  /**
   * Gives the turn to the next request during work that only waits, such as for another server.
   *
   * @throws SERVICE_UNAVAILABLE when the turn does not come back in time
   */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.giveBack();
    const answer = await work();
    // Whoever has gone away meanwhile still has its report applied: nobody else's turn depends on it.
    if (!this.gone.signal.aborted) await this.take();
    return answer;
  }

  /**
   * Lets others work while the caller sends; what has come of it stays among what the organisation may have open.
   *
   * @throws SERVICE_UNAVAILABLE when the turn does not come back in time
   */
  async receive<T>(work: () => Promise<T>): Promise<T> {
    this.rest();
    const received = await work();
    await this.work();
    return received;
  }

  private async work(): Promise<void> {
    const { signal } = this.gone;
    try {
      this.leave = await this.turns.work.enter(this.key, signal);
    } finally {
      if (signal.aborted) this.giveBack();
    }
    if (signal.aborted) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new NobodyWaits() });
  }

  private giveBack(): void {
    this.rest();
    this.close?.();
    this.close = undefined;
  }
}
