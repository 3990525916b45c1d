import { Client } from 'pg';
import { settleNames } from '../connections/settle-session';

/** A tenant as the directory has it. */
export interface TenantRow {
  tenantId: string;
  name: string;
  /** Why it is not served; undefined if it is. */
  closed?: string;
  apiUrl?: string;
}

/** A command about a tenant that cannot go on; the message names the next step. */
export class TenantFault extends Error {}

/** Runs work on a connection of the database's owner, and ends it. */
export async function withOwner<T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'plat-db' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs work in one transaction. */
export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await settleNames(client);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Runs work in one transaction with the directory's own rights, under which no tenant is entered. */
export const asDirectory = <T>(client: Client, work: () => Promise<T>): Promise<T> =>
  inTransaction(client, async () => {
    await client.query('SET LOCAL ROLE plat_identity_owner');
    return work();
  });

/**
 * Runs work in one transaction that has entered a tenant, also one that is not served. `as` takes the role of an owner,
 * so that row-level security confines each statement to the tenant, whoever the database's owner is.
 */
export const asTenant = <T>(
  client: Client,
  tenantId: string,
  work: (as: (owner: string) => Promise<void>) => Promise<T>,
): Promise<T> =>
  asDirectory(client, async () => {
    await client.query(
      `SELECT set_config('plat.proof', identity.issue_proof($1, $1, identity.caller_digest(NULL, NULL, NULL)), true)`,
      [tenantId],
    );
    return work(
      async (owner) => void (await client.query(`SET LOCAL ROLE ${client.escapeIdentifier(owner)}`)),
    );
  });

/** @throws TenantFault if there is no tenant of that name */
export async function tenantNamed(client: Client, name: string): Promise<TenantRow> {
  const found = await findTenant(client, name);
  if (found === undefined) throw new TenantFault(`There is no tenant ${JSON.stringify(name)}.`);
  return found;
}

export async function findTenant(client: Client, name: string): Promise<TenantRow | undefined> {
  const { rows } = await asDirectory(client, () =>
    client.query<{ tenant_id: string; reason: string | null; api_url: string | null }>(
      `SELECT tenant_id, reason, api_url
         FROM identity.tenants LEFT JOIN identity.closed_tenants USING (tenant_id) WHERE name = $1`,
      [name],
    ),
  );
  if (rows[0] === undefined) return undefined;
  const { tenant_id: tenantId, reason, api_url: apiUrl } = rows[0];
  return { tenantId, name, closed: reason ?? undefined, apiUrl: apiUrl ?? undefined };
}
