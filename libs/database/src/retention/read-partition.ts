import type { Client } from 'pg';
import { asTenant } from '../tenants/tenant-session';
import { allTenants } from './all-tenants';
import { openDetached, type TrailPartition } from './trail-partitions';

/** A row of the trail as it is exported. */
export interface TrailRow {
  /** The row as a JSON object, in the columns of audit.audit_events. */
  line: string;
  tenantId: string;
  /** When it was written, in UTC. */
  at: string;
  id: string;
}

const PAGE_ROWS = 5_000;

const COLUMNS = `to_jsonb(e)::text AS line, e.tenant_id AS "tenantId", e.audit_event_id AS id,
  to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

/** Yields every row of a partition, by tenant and time, some thousand at a time. */
export async function* readPartition(client: Client, partition: TrailPartition): AsyncGenerator<TrailRow[]> {
  // The text of a row must not depend on who reads it.
  await client.query("SET timezone = 'UTC'");
  if (partition.state === 'attached') {
    for (const tenantId of await allTenants(client)) yield* readTenant(client, partition, tenantId);
    return;
  }
  const table = await openDetached(client, partition);
  try {
    yield* readTable(client, table);
  } finally {
    // After a lost connection there is nothing to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

/** Each page is a transaction of its own, so that none is held while a file is written. */
async function* readTenant(
  client: Client,
  { covers }: TrailPartition,
  tenantId: string,
): AsyncGenerator<TrailRow[]> {
  let last: TrailRow | undefined;
  do {
    const after: TrailRow | undefined = last;
    const { rows } = await asTenant(client, tenantId, async (as) => {
      await as('plat_audit_owner');
      return client.query<TrailRow>(
        `SELECT ${COLUMNS} FROM audit.audit_events e
          WHERE e.tenant_id = $1 AND e.created_at < upper($2::tstzrange)
            AND (lower($2::tstzrange) IS NULL OR e.created_at >= lower($2::tstzrange))
            AND ($3::text IS NULL OR (e.created_at, e.audit_event_id) > ($3::timestamptz, $4::uuid))
          ORDER BY e.created_at, e.audit_event_id LIMIT ${PAGE_ROWS}`,
        [tenantId, covers, after?.at ?? null, after?.id ?? null],
      );
    });
    if (rows.length > 0) yield rows;
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

/** In the transaction in which the owner sees every row of the table. */
async function* readTable(client: Client, table: string): AsyncGenerator<TrailRow[]> {
  let last: TrailRow | undefined;
  do {
    const after: TrailRow | undefined = last;
    const { rows } = await client.query<TrailRow>(
      `SELECT ${COLUMNS} FROM ${table} e
        WHERE $1::uuid IS NULL
           OR (e.tenant_id, e.created_at, e.audit_event_id) > ($1::uuid, $2::timestamptz, $3::uuid)
        ORDER BY e.tenant_id, e.created_at, e.audit_event_id LIMIT ${PAGE_ROWS}`,
      [after?.tenantId ?? null, after?.at ?? null, after?.id ?? null],
    );
    if (rows.length > 0) yield rows;
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last);
}
