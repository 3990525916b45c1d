import { ApiError } from '@plat/contracts/core';
import { FairShares, NobodyWaits } from '@plat/database';

/** Most open requests of one organisation, including those whose bodies arrive or answers are read slowly. */
const OPEN_EACH = 32;
/** Most requests of one organisation that are worked on at once. */
const IN_WORK_EACH = 32;
/** The same while another organisation asks. That organisation's requests then compete with this many at most. */
const IN_WORK_BESIDE = 4;
/**
 * How long an organisation that takes more than an equal part of the service's time pauses after a request, in multiples
 * of the request's time. Its four requests in work then take the time of one.
 */
const PAUSE = 3;
/** How long a request waits for its turn before it is answered 503, in milliseconds. */
const WAIT_MS = 30_000;

/** Gives a service's requests their turns. The others wait: there is no rate limit. */
export class Turns {
  readonly open = new FairShares({ total: Infinity, each: OPEN_EACH, waitMs: WAIT_MS });
  readonly work = new FairShares({
    total: Infinity,
    each: IN_WORK_EACH,
    eachBeside: IN_WORK_BESIDE,
    pause: PAUSE,
    waitMs: WAIT_MS,
  });

  /** How many requests wait, over all organisations. */
  get waiting(): number {
    return this.open.waiting + this.work.waiting;
  }
}

/** A request's turn among those of its organisation, until its answer begins; it counts as open until its end. */
export class Turn {
  private readonly gone = new AbortController();
  private close: (() => void) | undefined;
  private leave: (() => void) | undefined;

  constructor(
    private readonly turns: Turns,
    private readonly key: string,
  ) {}

  /** Waits for the turn. @throws SERVICE_UNAVAILABLE if it does not come in time, or the caller has gone away */
  async take(): Promise<void> {
    this.close = await this.turns.open.enter(this.key, this.gone.signal);
    await this.work();
  }

  /**
   * Ends the request: it is answered, or its caller has gone away. Work that has begun keeps its place until `rest`, so
   * that callers who leave have no more work done at once than those who stay.
   */
  end(): void {
    this.gone.abort();
    this.close?.();
    this.close = undefined;
  }

  /** Ends the work. The request stays open, since its caller may read the answer slowly. */
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
    // If the caller has gone away, the rest of the work continues without a turn, so that its result is still applied.
    const { signal } = this.gone;
    if (!signal.aborted) {
      await this.take().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    return answer;
  }

  /**
   * Lets others work while the caller sends its body. The request still counts as open.
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
