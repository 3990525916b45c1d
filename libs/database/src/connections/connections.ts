import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { FairSlots } from '@plat/fair-slots';
import type { DatabaseAddress } from './database-address';
import type { DeadlineClient } from './deadline-client';
import { isSilence, unavailableOf } from './refusal';

/** Longest time that a statement waits for a connection, in milliseconds. */
const WAIT_MS = 10_000;

/**
 * The connections of one service, shared fairly between tenants. One tenant gets all but one of them at most, so that its
 * statements never delay another tenant's. A connection can be used again after the database refused a statement.
 */
export class Connections {
  private readonly slots: FairSlots;
  private readonly address: DatabaseAddress;
  /** When a statement last had an answer, in milliseconds since 1970. */
  lastAnswerAt = 0;
  /** Called with the time in seconds for which a statement waited for its connection. */
  onWaited: (seconds: number) => void = () => undefined;

  constructor(
    private readonly pool: Pool,
    { sizeMax, address }: { sizeMax: number; address: DatabaseAddress },
  ) {
    this.address = address;
    this.slots = new FairSlots({
      total: sizeMax,
      each: Math.max(1, sizeMax - 1),
      eachBeside: Math.ceil(sizeMax / 2),
      waitMs: WAIT_MS,
    });
  }

  /** The connections at this moment, and the statements that wait for one. */
  get load(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: this.slots.load.waiting };
  }

  /**
   * Runs work on a connection of the tenant's share.
   *
   * @throws SERVICE_UNAVAILABLE when no connection is free in time
   */
  async use<T>(tenant: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.share(tenant, async () => {
      const client = await this.connect();
      try {
        const answer = await work(client);
        client.release();
        this.lastAnswerAt = Date.now();
        return answer;
      } catch (error) {
        client.release(!isUsableAfter(error));
        throw error;
      }
    });
  }

  /** Runs work that takes one connection of the pool itself. It runs again if its connection's login was refused. */
  async share<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    return this.slots.run(tenant, async () => {
      this.onWaited((performance.now() - since) / 1000);
      try {
        return await this.runAgainIfRefused(work);
      } catch (error) {
        if (isSilence(error)) this.doubt();
        throw error;
      }
    });
  }

  private async runAgainIfRefused<T>(work: () => Promise<T>): Promise<T> {
    const { url } = this.address;
    try {
      return await work();
    } catch (error) {
      // Nothing was sent yet: only making a connection ends with a refused login.
      if (await this.address.refuses(url, error)) return work();
      throw error;
    }
  }

  /** Replaces the idle connections after one hung, since the others probably hang as well. */
  doubt(): void {
    this.lastAnswerAt = 0;
    for (let idle = this.pool.idleCount; idle > 0; idle--) {
      this.pool.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }

  private async connect(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = (await this.pool.connect()) as PoolClient & DeadlineClient;
        if (client.url === this.address.url) return client;
        // The address was replaced after this connection was made.
        client.release(true);
      }
    } catch (error) {
      throw unavailableOf(error);
    }
  }
}

/** Whether the connection can be used again: the database refused the statement, and the connection still works. */
function isUsableAfter(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR';
}
