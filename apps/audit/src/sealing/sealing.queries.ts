import type { Database } from '@plat/database';

/** About how many entries are added in one transaction at most, over all logs. */
const ENTRIES_MAX = 4096;

/** The limits at which the unsealed rows of a tenant become due. */
export interface Due {
  /** The number of rows at which they are due. */
  afterRows: number;
  /** The age of a row at which they are due. */
  afterSeconds: number;
}

/** The result of a sealing transaction. */
export interface SealedBatch {
  /** Entries that were added, over all logs. */
  sealed: number;
  /** Whether it left rows that are due. */
  more: boolean;
}

/** A log as it is stored, to be signed. */
export interface UnsignedLog {
  tenant_id: string;
  origin: string;
  size: string;
  root: Buffer;
}

/** Seals the due rows in one transaction. A log that another replica works on is skipped. */
export async function sealDue(
  database: Database,
  host: string,
  { publicKeys, afterRows, afterSeconds }: Due & { publicKeys: readonly Buffer[] },
): Promise<SealedBatch> {
  const [batch] = await database.run<SealedBatch>({
    name: 'ledger.seal_due',
    text: 'SELECT sealed, more FROM ledger.seal_due($1, $2::bytea[], $3, $4, $5)',
    values: [host, publicKeys, afterRows, afterSeconds, ENTRIES_MAX],
  });
  return batch!;
}

/** The logs whose stored size these keys have not signed, at most 1000. */
export function findUnsigned(database: Database, publicKeys: readonly Buffer[]): Promise<UnsignedLog[]> {
  return database.run<UnsignedLog>({
    name: 'ledger.unsigned',
    text: 'SELECT * FROM ledger.unsigned($1::bytea[])',
    values: [publicKeys],
  });
}

/** Stores signed checkpoints, each unless its log has grown meanwhile. */
export async function storeNotes(
  database: Database,
  signed: readonly { log: UnsignedLog; note: string }[],
  publicKeys: readonly Buffer[],
): Promise<void> {
  await database.run({
    name: 'ledger.store_notes',
    text: 'SELECT ledger.store_notes($1::uuid[], $2::bigint[], $3::bytea[], $4::text[], $5::bytea[])',
    values: [
      signed.map(({ log }) => log.tenant_id),
      signed.map(({ log }) => log.size),
      signed.map(({ log }) => log.root),
      signed.map(({ note }) => note),
      publicKeys,
    ],
  });
}
