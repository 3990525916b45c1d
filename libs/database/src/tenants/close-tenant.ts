import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { asDirectory, TenantFault } from './tenant-session';

/** Longer than a service's statement and a transaction that waits for its client may last. */
const WAIT_MS = 60_000;
const POLL_MS = 20;

export type ClosedReason = 'disabled' | 'ending' | 'switching' | 'arriving';

/**
 * Closes a tenant, and waits until each transaction of a service that was under way has ended. A transaction that begins
 * later finds the tenant closed, so that nothing is written for the tenant any more.
 *
 * @throws TenantFault if a transaction does not end; the tenant stays closed
 */
export async function closeTenant(client: Client, tenantId: string, reason: ClosedReason): Promise<void> {
  await asDirectory(client, () =>
    client.query(
      `INSERT INTO identity.closed_tenants (tenant_id, reason) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET reason = excluded.reason, api_url = NULL`,
      [tenantId, reason],
    ),
  );
  await waitForServices(client);
}

/** Says where a tenant is served now. */
export async function markMoved(client: Client, tenantId: string, apiUrl: string): Promise<void> {
  await asDirectory(client, () =>
    client.query(`UPDATE identity.closed_tenants SET reason = 'moved', api_url = $2 WHERE tenant_id = $1`, [
      tenantId,
      apiUrl,
    ]),
  );
}

/** Serves a tenant again. */
export async function openTenant(client: Client, tenantId: string): Promise<void> {
  await asDirectory(client, () =>
    client.query('DELETE FROM identity.closed_tenants WHERE tenant_id = $1', [tenantId]),
  );
}

/** Waits for the transactions that the services' logins have open now, as CREATE INDEX CONCURRENTLY does. */
async function waitForServices(client: Client): Promise<void> {
  const open = async () =>
    (
      await client.query<{ id: string; login: string }>(
        `SELECT l.virtualtransaction AS id, a.usename AS login FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE l.locktype = 'virtualxid' AND l.granted AND l.mode = 'ExclusiveLock'
            AND a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.usename LIKE 'plat\\_%'`,
      )
    ).rows;
  let left = await open();
  for (const deadline = Date.now() + WAIT_MS; left.length > 0; await delay(POLL_MS)) {
    if (Date.now() > deadline) {
      throw new TenantFault(
        `A transaction of ${left[0]!.login} does not end. The tenant stays closed; run the command again.`,
      );
    }
    const now = new Set((await open()).map(({ id }) => id));
    left = left.filter(({ id }) => now.has(id));
  }
}
