import type { Client } from 'pg';
import { asDirectory, asTenant, inTransaction, TenantFault, type TenantRow } from './tenant-session';

/** A user of a tenant; one that was disabled or removed too, since the trail still names them. */
export interface TenantUser {
  userId: string;
  username: string;
}

/** The numbers of rows and entries of a user that can be erased. */
export interface ErasableRows {
  /** Rows of the trail with the user's subject. */
  rows: number;
  /** Entries of the sealed log about them. */
  entries: number;
}

/** The role that reads and erases the rows that are sealed. */
const AS_SEALER = 'SET LOCAL ROLE plat_ledger_sealer';

const ERASABLE = `
  SELECT count(*)::int AS rows, count(x.leaf_index)::int AS entries
    FROM audit.audit_events e
    LEFT JOIN ledger.entries x
      ON x.tenant_id = e.tenant_id AND x.kind = 'audit' AND x.id = e.audit_event_id AND x.part = 0 AND x.open_salt IS NOT NULL
   WHERE e.tenant_id = $1 AND e.erun_user_id = $2 AND e.external_user_id <> 'erased'`;

/** The names of all tenants. */
export async function tenantNames(client: Client): Promise<string[]> {
  const { rows } = await asDirectory(client, () =>
    client.query<{ name: string }>('SELECT name FROM identity.tenants ORDER BY name'),
  );
  return rows.map(({ name }) => name);
}

/** All users of a tenant, by name. */
export async function usersOf(client: Client, { tenantId }: TenantRow): Promise<TenantUser[]> {
  const { rows } = await asTenant(client, tenantId, () =>
    client.query<{ user_id: string; username: string }>(
      'SELECT user_id, username FROM identity.users WHERE tenant_id = $1 ORDER BY username',
      [tenantId],
    ),
  );
  return rows.map(({ user_id: userId, username }) => ({ userId, username }));
}

/** Counts what erasing a user would change. Changes nothing. */
export async function countErasable(
  client: Client,
  { tenantId }: TenantRow,
  userId: string,
): Promise<ErasableRows> {
  return inTransaction(client, async () => {
    await client.query(AS_SEALER);
    return erasableOf(client, tenantId, userId);
  });
}

/**
 * Erases what the trail has of a user except the id, in one transaction. Each proof of the sealed log stays valid, and
 * the erasure becomes an entry of it. May be run again, for rows that were added since.
 *
 * @throws TenantFault if the tenant has moved
 */
export async function eraseUser(client: Client, tenant: TenantRow, userId: string): Promise<ErasableRows> {
  const { tenantId, name, closed, apiUrl } = tenant;
  if (closed === 'moved') throw new TenantFault(`${name} has moved to ${apiUrl}: erase the user there.`);
  return inTransaction(client, async () => {
    await client.query(AS_SEALER);
    const { rows } = await erasableOf(client, tenantId, userId);
    const erased = await client.query<{ entries: string }>('SELECT ledger.erase_user($1, $2) AS entries', [
      tenantId,
      userId,
    ]);
    return { rows, entries: Number(erased.rows[0]!.entries) };
  });
}

async function erasableOf(client: Client, tenantId: string, userId: string): Promise<ErasableRows> {
  const { rows } = await client.query<ErasableRows>(ERASABLE, [tenantId, userId]);
  return rows[0]!;
}
