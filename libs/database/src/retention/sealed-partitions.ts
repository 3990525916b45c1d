import type { Client } from 'pg';
import { type LockPatience, withShortLocks } from '../connections/short-locks';
import { RetentionFault } from './retention-fault';
import { asTrailOwner, openDetached, openPartition, type TrailPartition } from './trail-partitions';

/** How many entries are marked in one transaction, which sealing waits for: about a second's work. */
export const MARKED_ROWS = 20_000;

const NEXT =
  'Run the command again when the audit service has sealed them; PlatLedgerRowUnsealed says what to do.';

/**
 * Expects that no row of an attached partition, and no older row, waits to be sealed.
 *
 * @throws RetentionFault if one may
 */
export async function expectSealed(
  client: Client,
  { name, covers, state, written }: TrailPartition,
): Promise<void> {
  if (state !== 'attached' || !written) return;
  const { rows } = await asTrailOwner(client, () =>
    client.query<{ tenants: string }>('SELECT ledger.unsealed_before(upper($1::tstzrange)) AS tenants', [
      covers,
    ]),
  );
  const { tenants } = rows[0]!;
  if (tenants === '0') return;
  throw new RetentionFault(
    `audit.${name} is kept: rows of its time of ${tenants} tenants may not be sealed yet. Nothing of it was changed. ${NEXT}`,
  );
}

/** How entries are marked. */
export interface Marking {
  patience: LockPatience;
  /** Rows that one transaction marks. */
  markedRows: number;
}

/**
 * Marks the entries of the sealed rows that a partition got until it was detached. If a row is not sealed, it puts the
 * partition back into the trail, where a sealer finds the row.
 *
 * @throws RetentionFault if it did
 */
export async function settleLateRows(
  client: Client,
  partition: TrailPartition,
  marking: Marking,
): Promise<void> {
  const { name } = partition;
  const { unsealed, unmarked } = await examine(client, partition);
  if (unsealed === '0') {
    if (unmarked !== '0') await markEntries(client, partition, marking);
    return;
  }
  const attach = () => asTrailOwner(client, () => client.query('SELECT audit.attach_partition($1)', [name]));
  await withShortLocks(client, attach, marking.patience);
  throw new RetentionFault(
    `audit.${name} is in the trail again: ${unsealed} of its rows came too late to be sealed before. ${NEXT}`,
  );
}

/** Counts the rows of a detached partition that have no entry, and those whose entry has its fields. */
async function examine(
  client: Client,
  partition: TrailPartition,
): Promise<{ unsealed: string; unmarked: string }> {
  await openDetached(client, partition);
  try {
    const { rows } = await client.query<{ unsealed: string; unmarked: string }>(
      'SELECT unsealed, unmarked FROM audit.examine_partition($1)',
      [partition.name],
    );
    return rows[0]!;
  } finally {
    // After a lost connection there is nothing to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

/** The place of the last row that was marked; without a tenant at the end. */
interface Place {
  last_tenant: string | null;
  last_at: string | null;
  last_id: string | null;
}

/** Erases the fields of the entries about the rows of an exported partition, some thousand rows in each transaction. */
export async function markEntries(
  client: Client,
  partition: TrailPartition,
  { patience, markedRows }: Marking,
): Promise<void> {
  await openPartition(client, partition, patience);
  let place: Place = { last_tenant: null, last_at: null, last_id: null };
  do {
    const { last_tenant: tenant, last_at: at, last_id: id } = place;
    const { rows } = await asTrailOwner(client, () =>
      client.query<Place>(
        'SELECT last_tenant, last_at::text, last_id FROM audit.mark_pruned($1, $2, $3, $4, $5)',
        [partition.name, tenant, at, id, markedRows],
      ),
    );
    place = rows[0]!;
  } while (place.last_tenant !== null);
}
