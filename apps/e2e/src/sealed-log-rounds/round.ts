import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import type { ApiClient } from '@plat/api-client';
import { formatVerifierKey, publicKeyBytes, verifierKeyOf } from '@plat/ledger';
import { exportLog } from '@plat/plat/sealed-log';
import { Random } from '@plat/testing';
import { HOST, type LedgerKey, type LogStand, newLedgerKey, TENANT } from './stand';

/** The name of the tenant's log. */
export const ORIGIN = `${HOST}/log/${TENANT}`;

/** Formats the text of a key that a verifier is given. */
export const verifierKey = ({ key }: LedgerKey): string =>
  formatVerifierKey(verifierKeyOf(ORIGIN, publicKeyBytes(key)));

/** A client on a machine of its own, with what it remembers of the log. */
export interface Reader {
  api: ApiClient;
  configFolder: string;
}

/** One tenant's log from its first row on, what is known of it, and the choices of the round. */
export class Round {
  readonly random: Random;
  /** Every key that has signed, oldest first. */
  readonly keys: LedgerKey[];
  /** The keys that sign at present. */
  signing: LedgerKey[];
  /** Checkpoints that readers have kept, oldest first. */
  readonly known: string[] = [];
  /** Transactions that have written rows and are open. */
  readonly open: PoolClient[] = [];
  private folders = 0;

  private constructor(
    readonly stand: LogStand,
    seed: number,
    /** Remembers the log from the first reading on. */
    readonly reader: Reader,
    private readonly folder: string,
  ) {
    this.random = new Random(seed);
    this.keys = [newLedgerKey()];
    this.signing = [...this.keys];
  }

  static async begin(stand: LogStand, seed: number): Promise<Round> {
    const folder = await stand.begin();
    const round = new Round(
      stand,
      seed,
      { api: await stand.api(), configFolder: join(folder, 'client') },
      folder,
    );
    stand.showKeys(round.signing);
    return round;
  }

  /** A whole number from 1 to `most`. */
  upTo(most: number): number {
    return 1 + Math.floor(this.random.next() * most);
  }

  /** Signs with these keys from now on. */
  signWith(keys: LedgerKey[]): void {
    this.signing = keys;
    this.keys.push(...keys.filter((key) => !this.keys.includes(key)));
    this.stand.showKeys(keys);
  }

  /** A reader on another machine, which remembers nothing. */
  stranger(): Reader {
    return { api: this.reader.api, configFolder: this.newFolder('stranger') };
  }

  /** A folder that does not exist yet. */
  newFolder(name: string): string {
    this.folders += 1;
    return join(this.folder, `${name}-${this.folders}`);
  }

  /**
   * Exports the log to a new folder, trusting the keys that the platform shows.
   *
   * @returns the folder
   * @throws Failure
   */
  async export({ api, configFolder }: Reader = this.reader): Promise<string> {
    const folder = this.newFolder('export');
    await exportLog(api, {
      ...{ configFolder, folder, keys: [], recheck: false, interrupted: new AbortController().signal },
      ...{ advanced: () => undefined, note: () => undefined },
    });
    return folder;
  }

  /** Removes the folders, and gives up what is left open. */
  async end(): Promise<void> {
    for (const client of this.open) client.release(true);
    await rm(this.folder, { recursive: true });
  }
}
