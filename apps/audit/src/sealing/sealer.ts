import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { formatCheckpoint, signNote } from '@plat/ledger';
import type { ServiceContext } from '@plat/service';
import type { LedgerKeys } from './ledger-keys';
import { findUnsigned, sealDue, storeNotes } from './sealing.queries';

/** A tenant's rows are sealed at any age once there are this many. */
const AFTER_ROWS = 256;
/** Pause between two looks for due rows, in milliseconds. */
const LOOK_MS = 1_000;

export interface SealerOptions {
  keys: LedgerKeys;
  /** The host in the names of new logs. */
  host: string | undefined;
  /** Age in seconds at which rows are due. */
  afterSeconds: number;
}

/**
 * Seals the due rows of the trail and the due landings of all tenants each second, and signs the stored roots. Any
 * number of replicas may run it, because the database lets one replica work on a log at a time. No request waits for
 * it. A process that ends between two statements leaves nothing to repair: what is sealed is stored whole, and what is
 * not signed is signed later.
 */
@Injectable()
export class Sealer implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly context: Pick<ServiceContext, 'database' | 'log'>,
    private readonly options: SealerOptions,
  ) {}

  onApplicationBootstrap(): void {
    const { host, keys } = this.options;
    if (host === undefined || !keys.areThere) {
      this.context.log.warn('nothing is sealed: LEDGER_KEY is not set');
      return;
    }
    this.working = this.work(host);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /** Seals and signs until nothing is due. @returns the entries that were added */
  async seal(host: string, afterSeconds = this.options.afterSeconds): Promise<number> {
    const { database } = this.context;
    for (let added = 0; ;) {
      // Read again each time: a rotation may replace the keys.
      const { publicKeys } = this.options.keys;
      if (publicKeys.length === 0) return added;
      const batch = await sealDue(database, host, { publicKeys, afterRows: AFTER_ROWS, afterSeconds });
      added += batch.sealed;
      await this.sign();
      if (this.stopped || !batch.more) return added;
    }
  }

  /** Signs what is stored, and stores the signatures. Two replicas make the same ones: Ed25519 is deterministic. */
  private async sign(): Promise<void> {
    const { database } = this.context;
    const { privateKeys, publicKeys } = this.options.keys;
    const logs = await findUnsigned(database, publicKeys);
    if (logs.length === 0) return;
    const signed = logs.map((log) => {
      const { origin, root: rootHash } = log;
      const text = formatCheckpoint({ origin, size: Number(log.size), rootHash });
      const signers = privateKeys.map((privateKey) => ({ name: origin, privateKey }));
      return { log, note: signNote(text, signers) };
    });
    await storeNotes(database, signed, publicKeys);
  }

  private async work(host: string): Promise<void> {
    await this.seal(host).catch((err: unknown) => {
      if (!this.stopped) this.context.log.error({ err }, 'the trail could not be sealed');
    });
    if (this.stopped) return;
    this.timer = setTimeout(() => (this.working = this.work(host)), LOOK_MS).unref();
  }
}
