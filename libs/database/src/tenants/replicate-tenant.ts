import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { type Cells, moveName, REPLICATED_TABLES } from './cells';
import { TenantFault, type TenantRow } from './tenant-session';

const POLL_MS = 50;
/** After the switch has begun, the rest of the changes takes a moment; a new cell that is longer behind is stuck. */
const CATCH_UP_MS = 30_000;

/** Begins to replicate a tenant's rows to the new cell, unless that was begun before. */
export async function startReplication(cells: Cells, tenant: TenantRow): Promise<void> {
  await publish(cells.from, tenant);
  if (await isSubscribed(cells.to, tenant)) return;
  await dropStraySlot(cells.from, tenant);
  await subscribe(cells, tenant);
}

async function publish(from: Client, tenant: TenantRow): Promise<void> {
  const name = moveName(tenant);
  const { rowCount } = await from.query('SELECT FROM pg_publication WHERE pubname = $1', [name]);
  if (rowCount) return;
  const tables = REPLICATED_TABLES.map((table) => `${table.name} WHERE (tenant_id = '${tenant.tenantId}')`);
  await from.query(
    `CREATE PUBLICATION ${name} FOR TABLE ${tables.join(', ')} WITH (publish_via_partition_root = true)`,
  );
}

async function subscribe({ to, replicationUrl }: Cells, tenant: TenantRow): Promise<void> {
  const name = moveName(tenant);
  // From 16 on a subscription writes as the owner of each table, whom row-level security confines.
  const asOwner = (await versionOf(to)) >= 160_000 ? ', run_as_owner = true' : '';
  // The address holds a password, so no log may have the statement.
  await to.query(
    `SET log_statement = 'none'; SET log_min_error_statement = 'panic'; SET log_min_duration_statement = -1`,
  );
  try {
    await to.query(
      `CREATE SUBSCRIPTION ${name} CONNECTION ${to.escapeLiteral(replicationUrl)} PUBLICATION ${name}
         WITH (disable_on_error = true${asOwner})`,
    );
  } catch (error) {
    // The server's text may name the address.
    const code = error instanceof DatabaseError ? ` (SQLSTATE ${error.code})` : '';
    throw new TenantFault(
      `The new cell cannot replicate from the old one${code}: its server must reach REPLICATION_URL, whose role must ` +
        "have REPLICATION and BYPASSRLS and be a member of pg_read_all_data. The log of the new cell's server has the cause.",
    );
  } finally {
    await to.query('RESET log_statement; RESET log_min_error_statement; RESET log_min_duration_statement');
  }
}

/** A command that was killed may have made the slot and not the subscription. */
async function dropStraySlot(from: Client, tenant: TenantRow): Promise<void> {
  await from.query(
    `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
      WHERE database = current_database() AND NOT active AND starts_with(slot_name, $1)`,
    [moveName(tenant)],
  );
}

/** Waits until every table has been copied and changes arrive as they are made. */
export async function waitForCopy(
  { to }: Cells,
  tenant: TenantRow,
  onProgress: (copied: number, tables: number) => void,
): Promise<void> {
  let shown = -1;
  for (;;) {
    await expectEnabled(to, tenant);
    const { rows } = await to.query<{ copied: number; tables: number }>(
      `SELECT count(*) FILTER (WHERE r.srsubstate = 'r')::int AS copied, count(*)::int AS tables
         FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid WHERE s.subname = $1`,
      [moveName(tenant)],
    );
    const { copied, tables } = rows[0]!;
    if (copied !== shown) onProgress(copied, tables);
    shown = copied;
    if (copied === tables) return;
    await delay(POLL_MS);
  }
}

/** Waits until the new cell has written what the old one has logged so far. @throws TenantFault if it does not */
export async function waitForChanges({ from, to }: Cells, tenant: TenantRow): Promise<void> {
  const { rows } = await from.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  for (const deadline = Date.now() + CATCH_UP_MS; ; await delay(POLL_MS)) {
    await expectEnabled(to, tenant);
    const { rowCount } = await from.query(
      'SELECT FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn >= $2::pg_lsn',
      [moveName(tenant), rows[0]!.lsn],
    );
    if (rowCount) return;
    if (Date.now() > deadline) {
      throw new TenantFault(
        'The new cell is too far behind to switch; nothing has moved. Run the command again.',
      );
    }
  }
}

async function expectEnabled(to: Client, tenant: TenantRow): Promise<void> {
  const { rows } = await to.query<{ subenabled: boolean }>(
    'SELECT subenabled FROM pg_subscription WHERE subname = $1',
    [moveName(tenant)],
  );
  if (rows[0]?.subenabled) return;
  throw new TenantFault(
    `The replication to the new cell has stopped; the log of its PostgreSQL says why. End the move with --cancel.`,
  );
}

/** Ends the replication for good, so that no later change of the old cell reaches the new one. */
export async function stopReplication({ from, to }: Cells, tenant: TenantRow): Promise<void> {
  const name = moveName(tenant);
  if (await isSubscribed(to, tenant)) {
    await to.query(`ALTER SUBSCRIPTION ${name} DISABLE`);
    await to.query(`ALTER SUBSCRIPTION ${name} SET (slot_name = NONE)`);
    await to.query(`DROP SUBSCRIPTION ${name}`);
  }
  // The walsender of a subscription that was dropped ends by itself, and only then can the slot go.
  for (const deadline = Date.now() + CATCH_UP_MS; ; await delay(POLL_MS)) {
    await dropStraySlot(from, tenant);
    const { rowCount } = await from.query(
      'SELECT FROM pg_replication_slots WHERE starts_with(slot_name, $1)',
      [name],
    );
    if (!rowCount) break;
    if (Date.now() > deadline) {
      throw new TenantFault('The replication slot of the move is still in use. Run the command again.');
    }
  }
  await from.query(`DROP PUBLICATION IF EXISTS ${name}`);
}

export async function isSubscribed(to: Client, tenant: TenantRow): Promise<boolean> {
  const { rowCount } = await to.query(
    `SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
      WHERE d.datname = current_database() AND s.subname = $1`,
    [moveName(tenant)],
  );
  return rowCount === 1;
}

async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  return Number(rows[0]!.version);
}
