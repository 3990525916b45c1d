import type { Client } from 'pg';
import { asDirectory } from '../tenants/tenant-session';

/** The ids of all tenants, served or not. */
export async function allTenants(client: Client): Promise<string[]> {
  const { rows } = await asDirectory(client, () =>
    client.query<{ tenant_id: string }>('SELECT tenant_id FROM identity.tenants ORDER BY tenant_id'),
  );
  return rows.map(({ tenant_id: tenantId }) => tenantId);
}
