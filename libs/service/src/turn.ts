import type { FairShares } from '@plat/database';

/** A request's turn among those of its organisation, until it is answered. */
export class Turn {
  private readonly gone = new AbortController();
  private leave: (() => void) | undefined;

  constructor(
    private readonly shares: FairShares,
    private readonly key: string,
  ) {}

  /** @throws SERVICE_UNAVAILABLE when it does not come in time, or has ended */
  async take(): Promise<void> {
    this.leave = await this.shares.enter(this.key, this.gone.signal);
    if (this.gone.signal.aborted) this.leave();
  }

  /** The request is answered, or its caller has gone away. */
  end(): void {
    this.gone.abort();
    this.leave?.();
  }

  /**
   * Gives the turn to the next request during work that only waits, such as for another server.
   *
   * @throws SERVICE_UNAVAILABLE when the turn does not come back in time
   */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.leave?.();
    this.leave = undefined;
    const answer = await work();
    // Whoever has gone away meanwhile still has its report applied: nobody else's turn depends on it.
    if (!this.gone.signal.aborted) await this.take();
    return answer;
  }
}
