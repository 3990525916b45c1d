import { ApiError } from '@plat/contracts/core';
import { CallerGone, FairSlots, type Slot } from '@plat/fair-slots';

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
/** How long a request waits for a slot before it is answered 503, in milliseconds. */
const WAIT_MS = 30_000;

/** The slots of a service's requests. A request without one waits: there is no rate limit. */
export class ServiceSlots {
  readonly open = new FairSlots({ total: Infinity, each: OPEN_EACH, waitMs: WAIT_MS });
  readonly work = new FairSlots({
    total: Infinity,
    each: IN_WORK_EACH,
    eachBeside: IN_WORK_BESIDE,
    pause: PAUSE,
    waitMs: WAIT_MS,
  });

  /** How many requests wait, over all organisations. */
  get waiting(): number {
    return this.open.load.waiting + this.work.load.waiting;
  }
}

/**
 * The two slots of one request, among those of its organisation: one while it is open, and one until its answer begins,
 * while it is worked on.
 */
export class RequestSlots {
  private readonly gone = new AbortController();
  private open: Slot | undefined;
  private work: Slot | undefined;

  constructor(
    private readonly service: ServiceSlots,
    private readonly key: string,
  ) {}

  /** @throws SERVICE_UNAVAILABLE if a slot is not free in time, or the caller has gone away */
  async acquire(): Promise<void> {
    this.open = await this.service.open.acquire(this.key, this.gone.signal);
    await this.acquireWork();
  }

  /**
   * Ends the request: it is answered, or its caller has gone away. Work that has begun keeps its slot until
   * `releaseWork`, so that callers who leave have no more work done at once than those who stay.
   */
  end(): void {
    this.gone.abort();
    this.releaseOpen();
  }

  /** Ends the work. The request stays open, since its caller may read the answer slowly. */
  releaseWork(): void {
    this.work?.release();
    this.work = undefined;
  }

  /**
   * Releases both slots during work that only waits, such as for another server.
   *
   * @throws SERVICE_UNAVAILABLE when the request does not get them again in time
   */
  async runWithout<T>(work: () => Promise<T>): Promise<T> {
    this.release();
    const answer = await work();
    // If the caller has gone away, the rest of the work continues without slots, so that its result is still applied.
    const { signal } = this.gone;
    if (!signal.aborted) {
      await this.acquire().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    return answer;
  }

  /**
   * Lets others work while the caller sends its body. The request still counts as open.
   *
   * @throws SERVICE_UNAVAILABLE when the request cannot be worked on again in time
   */
  async receive<T>(receive: () => Promise<T>): Promise<T> {
    this.releaseWork();
    const received = await receive();
    await this.acquireWork();
    return received;
  }

  private async acquireWork(): Promise<void> {
    const { signal } = this.gone;
    try {
      this.work = await this.service.work.acquire(this.key, signal);
    } finally {
      if (signal.aborted) this.release();
    }
    if (signal.aborted) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new CallerGone() });
  }

  private release(): void {
    this.releaseWork();
    this.releaseOpen();
  }

  private releaseOpen(): void {
    this.open?.release();
    this.open = undefined;
  }
}
