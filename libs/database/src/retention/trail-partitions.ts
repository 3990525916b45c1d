import { type Client, DatabaseError } from 'pg';
import { type LockPatience, withShortLocks } from '../connections/short-locks';
import { inTransaction } from '../tenants/tenant-session';
import { RetentionFault } from './retention-fault';

/** A monthly partition of the trail, or the one of all time before the first month. */
export interface TrailPartition {
  /** Without its schema. */
  name: string;
  /** The range of `created_at`, as PostgreSQL writes it. */
  covers: string;
  /** `detaching` and `detached` are what an interrupted prune leaves. */
  state: 'attached' | 'detaching' | 'detached';
  /** Whether it has ever held a row. */
  written: boolean;
  /** The name of its export, without an extension. */
  exportName: string;
  /** Why it may not go yet, in words for a person. */
  obstacle?: string;
}

/** How many rows a partition has, and of what time. */
export interface PartitionRows {
  rows: number;
  oldest?: string;
  newest?: string;
}

/** The role that owns the trail. */
const OWNER = 'plat_audit_owner';

/** A prune waits for a lock for a moment at a time, because what comes later would wait behind it. */
export const PRUNE_PATIENCE: LockPatience = { waitMs: 1_000, pauseMs: 500, giveUpMs: 60_000 };

/** SQLSTATE of rows that are not those of the export. */
const INTEGRITY_VIOLATION = '23000';

const UTC = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Runs work in one transaction of the trail's owner. */
export const asTrailOwner = <T>(client: Client, work: () => Promise<T>): Promise<T> =>
  inTransaction(client, async () => {
    // Ranges of time are compared with those of manifests as text.
    await client.query(`SET LOCAL ROLE ${OWNER}; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'`);
    return work();
  });

/** The partitions that end before a moment, oldest first. @param before a time of PostgreSQL's */
export async function prunablePartitions(client: Client, before: string): Promise<TrailPartition[]> {
  const { rows } = await asTrailOwner(client, () =>
    client.query<
      Omit<TrailPartition, 'exportName' | 'obstacle'> & { export: string; obstacle: string | null }
    >(
      `SELECT partition AS name, covers::text, state, written, export, obstacle
         FROM audit.prunable_partitions($1) ORDER BY upper(covers)`,
      [before],
    ),
  );
  return rows.map(({ export: exportName, obstacle, ...partition }) => ({
    ...partition,
    exportName,
    obstacle: obstacle ?? undefined,
  }));
}

/** Counts the rows of a partition, of all tenants. */
export async function countPartition(client: Client, partition: TrailPartition): Promise<PartitionRows> {
  const count = async (from: string, values: unknown[]): Promise<PartitionRows> => {
    const { rows } = await client.query<{ rows: string; oldest: string | null; newest: string | null }>(
      `SELECT count(*) AS rows, ${UTC('min(created_at)')} AS oldest, ${UTC('max(created_at)')} AS newest FROM ${from}`,
      values,
    );
    const { rows: number, oldest, newest } = rows[0]!;
    return { rows: Number(number), oldest: oldest ?? undefined, newest: newest ?? undefined };
  };
  if (partition.state !== 'attached') {
    const table = await openDetached(client, partition);
    return count(table, []).finally(() => client.query('ROLLBACK'));
  }
  return inTransaction(client, async () => {
    await client.query('SET LOCAL ROLE plat_inspector');
    return count(
      `audit.audit_events WHERE (lower($1::tstzrange) IS NULL OR created_at >= lower($1::tstzrange))
        AND created_at < upper($1::tstzrange)`,
      [partition.covers],
    );
  });
}

/** Lets the owner see every row of a partition by its own name. Readers of the trail wait for it for a moment. */
export const openPartition = (
  client: Client,
  { name }: TrailPartition,
  patience: LockPatience,
): Promise<unknown> =>
  withShortLocks(
    client,
    () => asTrailOwner(client, () => client.query('SELECT audit.open_partition($1)', [name])),
    patience,
  );

/**
 * Begins a transaction in which the owner sees every row of a detached partition, which no other session uses. It
 * writes nothing, so that sealing does not wait for it.
 *
 * @returns the table
 */
export async function openDetached(client: Client, partition: TrailPartition): Promise<string> {
  const { name } = partition;
  await openPartition(client, partition, PRUNE_PATIENCE);
  await client.query('BEGIN');
  await client.query(`SET LOCAL ROLE ${OWNER}`);
  return `audit.${client.escapeIdentifier(name)}`;
}

/**
 * Takes a partition from the trail while others read and write it, or ends what an interrupted prune has begun.
 *
 * @throws RetentionFault if a transaction that uses the trail does not end
 */
export async function detachPartition(
  client: Client,
  { name, state }: TrailPartition,
  patience: LockPatience,
): Promise<void> {
  let finalize = state === 'detaching';
  const detach = async (): Promise<void> => {
    const how = finalize ? 'FINALIZE' : 'CONCURRENTLY';
    const table = `audit.${client.escapeIdentifier(name)}`;
    await client.query(`SET ROLE ${OWNER}`);
    try {
      await client.query(`ALTER TABLE audit.audit_events DETACH PARTITION ${table} ${how}`);
    } catch (error) {
      // After waiting in vain the partition may be half detached: the next attempt ends that.
      finalize = await isDetaching(client, name);
      throw error;
    } finally {
      await client.query('RESET ROLE').catch(() => undefined);
    }
  };
  try {
    await withShortLocks(client, detach, patience);
  } catch (error) {
    const { message } = error as Error;
    throw new RetentionFault(
      `audit.${name} could not be detached: ${message}. Run the command again when that has ended.`,
      { cause: error },
    );
  }
}

async function isDetaching(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_inherits WHERE inhdetachpending AND inhrelid = to_regclass($1)`,
    [`audit.${client.escapeIdentifier(name)}`],
  );
  return rowCount === 1;
}

/**
 * Drops a detached partition if its rows are those of its recorded export.
 *
 * @returns whether it is dropped; false if its rows are others than the export's
 */
export async function dropPartition(
  client: Client,
  { name }: TrailPartition,
  patience: LockPatience,
): Promise<boolean> {
  const drop = () => asTrailOwner(client, () => client.query('SELECT audit.drop_partition($1)', [name]));
  try {
    await withShortLocks(client, drop, patience);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === INTEGRITY_VIOLATION) return false;
    throw error;
  }
}

/** Makes the partition of all time before the first month again, for the old rows of tenants that move here. */
export const makeEarlyPartition = (client: Client, patience: LockPatience): Promise<unknown> =>
  withShortLocks(
    client,
    () => asTrailOwner(client, () => client.query('SELECT audit.make_early_partition()')),
    patience,
  );
