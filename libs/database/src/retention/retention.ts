import type { Client } from 'pg';
import { asDirectory } from '../tenants/tenant-session';
import { RetentionFault } from './retention-fault';

/** Any number that no other advisory lock of plat uses. */
const ADVISORY_LOCK = 7_061_001;

/**
 * Runs a prune or an erasure while no other one runs on the database and no tenant is being moved into it or out of it: the
 * move compares the rows of both cells.
 *
 * @throws RetentionFault if one does
 */
export async function withoutOthers<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [
    ADVISORY_LOCK,
  ]);
  if (!rows[0]!.free) throw new RetentionFault('Another prune or erasure runs on this database.');
  try {
    await expectNoMove(client);
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => undefined);
  }
}

async function expectNoMove(client: Client): Promise<void> {
  const { rows } = await asDirectory(client, () =>
    client.query<{ name: string }>(
      `SELECT t.name FROM identity.tenants t LEFT JOIN identity.closed_tenants c USING (tenant_id)
        WHERE c.reason IN ('switching', 'arriving')
           OR EXISTS (SELECT FROM pg_publication p WHERE p.pubname = 'plat_move_' || replace(t.tenant_id::text, '-', ''))`,
    ),
  );
  if (rows.length === 0) return;
  throw new RetentionFault(
    `${rows.map(({ name }) => name).join(', ')} is being moved between cells, which compares rows: ` +
      'run this again when the move has ended.',
  );
}

/**
 * The moment before which rows are older than a period.
 *
 * @param period of PostgreSQL's `interval`, such as `24 months`
 */
export async function momentBefore(client: Client, period: string): Promise<string> {
  const { rows } = await client.query<{ moment: string }>(
    `SELECT to_char((now() - $1::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS moment`,
    [period],
  );
  return rows[0]!.moment;
}
