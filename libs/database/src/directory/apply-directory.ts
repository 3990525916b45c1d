import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { refusalOf } from '../connections/refusal';
import { settleNames } from '../connections/settle-session';
import { applyIssuers } from './apply-issuers';
import { applyUsers } from './apply-users';
import type { Directory } from './directory';
import { DirectoryError } from './parse-directory';
import { type PermissionRule, STOCK_ROLES } from './stock-roles';

/**
 * Applies a directory as the database's owner, in one transaction. Idempotent: rows are found by name and keep their ids.
 * Rows that the file does not name stay, since the API may have added them.
 *
 * @throws DirectoryError when a user names a role that neither the file nor the tenant has, when the name of one
 *   tenant begins with that of another and a hyphen, or when there are more roles or rules than a tenant or user may have
 */
export async function applyDirectory(ownerUrl: string, directory: Directory): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await settleNames(client);
    await client.query('SET LOCAL ROLE plat_identity_owner');
    // One at a time: two would delete and write the same rules of a role. A service's login cannot take this lock.
    await client.query('LOCK TABLE identity.tenants IN SHARE ROW EXCLUSIVE MODE');
    await applyTenants(client, directory);
    await applyIssuers(client, directory);
    await applyRoles(client, directory);
    await applyUsers(client, directory);
    await client.query('SET LOCAL ROLE plat_environments_owner');
    await applyEnvironments(client, directory);
    await client.query('COMMIT');
  } catch (error) {
    // The database refuses a file that gives a tenant or a user too many roles.
    const refusal = refusalOf(error);
    throw refusal ? new DirectoryError([refusal.message]) : error;
  } finally {
    await client.end();
  }
}

async function applyTenants(client: Client, { tenants }: Directory): Promise<void> {
  for (const { name, kind, id, state } of tenants) {
    await client.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET kind = excluded.kind`,
      [id ?? newId(), name, kind],
    );
    if (state !== undefined) await applyTenantState(client, { name, state });
  }
  await expectDistinctNamespaces(client);
}

/** Neither opens nor closes a tenant that is being deleted or moved. */
async function applyTenantState(
  client: Client,
  { name, state }: { name: string; state: string },
): Promise<void> {
  await client.query(
    state === 'disabled'
      ? `INSERT INTO identity.closed_tenants (tenant_id, reason)
         SELECT tenant_id, 'disabled' FROM identity.tenants WHERE name = $1 ON CONFLICT (tenant_id) DO NOTHING`
      : `DELETE FROM identity.closed_tenants USING identity.tenants t
          WHERE closed_tenants.tenant_id = t.tenant_id AND t.name = $1 AND reason = 'disabled'`,
    [name],
  );
}

/**
 * An environment's namespace and public names start with `<tenant>-<env>`. The environment `b-c` of a tenant `a` would
 * share them with the environment `c` of a tenant `a-b`, and deleting the one would delete the other.
 */
async function expectDistinctNamespaces(client: Client): Promise<void> {
  const { rows } = await client.query<{ shorter: string; longer: string }>(
    `SELECT a.name AS shorter, b.name AS longer
       FROM identity.tenants a JOIN identity.tenants b ON starts_with(b.name, a.name || '-') ORDER BY 2, 1`,
  );
  if (rows.length === 0) return;
  throw new DirectoryError(
    rows.map(({ shorter, longer }) => `tenant ${longer} begins like the environments of tenant ${shorter}`),
  );
}

async function applyRoles(client: Client, { tenants, roles }: Directory): Promise<void> {
  for (const { name: tenant } of tenants) {
    for (const [name, permissions] of Object.entries(STOCK_ROLES)) {
      await applyRole(client, { tenant, name, permissions });
    }
  }
  for (const role of roles) await applyRole(client, role);
  await client.query(
    'SELECT identity.expect_tenant_within_caps(tenant_id) FROM identity.tenants WHERE name = ANY ($1)',
    [tenants.map(({ name }) => name)],
  );
}

interface RoleOfTenant {
  tenant: string;
  name: string;
  permissions: readonly PermissionRule[];
}

async function applyRole(client: Client, { tenant, name, permissions }: RoleOfTenant): Promise<void> {
  const { rows } = await client.query<{ tenant_id: string; role_id: string }>(
    `INSERT INTO identity.roles (tenant_id, role_id, name)
     SELECT tenant_id, $2, $3 FROM identity.tenants WHERE name = $1
     ON CONFLICT (tenant_id, name) DO UPDATE SET name = excluded.name RETURNING tenant_id, role_id`,
    [tenant, newId(), name],
  );
  const role = rows[0]!;
  await client.query('DELETE FROM identity.role_permissions WHERE tenant_id = $1 AND role_id = $2', [
    role.tenant_id,
    role.role_id,
  ]);
  await client.query(
    `INSERT INTO identity.role_permissions
       (tenant_id, role_id, permission, api_method, api_path, api_method_pattern, api_path_pattern)
     SELECT $1, $2, p.place, p.rule ->> 'apiMethod', p.rule ->> 'apiPath', p.rule ->> 'apiMethodPattern',
            p.rule ->> 'apiPathPattern'
       FROM jsonb_array_elements($3) WITH ORDINALITY AS p (rule, place)`,
    [role.tenant_id, role.role_id, JSON.stringify(permissions)],
  );
}

async function applyEnvironments(client: Client, { environments }: Directory): Promise<void> {
  for (const { tenant, name, type, id } of environments) {
    // Names of other tenants can be read only while no tenant is entered.
    await client.query("SELECT set_config('plat.proof', '', true)");
    const { rows } = await client.query<{ tenant_id: string; proof: string }>(
      `SELECT t.tenant_id, identity.issue_proof(t.tenant_id, t.tenant_id, identity.caller_digest(NULL, NULL, NULL)) AS proof
         FROM identity.tenant_named($1) AS t (tenant_id)`,
      [tenant],
    );
    const { tenant_id: tenantId, proof } = rows[0]!;
    // tenancy.enter_as would refuse a tenant that is disabled.
    await client.query("SELECT set_config('plat.proof', $1, true)", [proof]);
    await client.query(
      `INSERT INTO environments.environments (tenant_id, environment_id, name, type) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, name) DO NOTHING`,
      [tenantId, id ?? newId(), name, type],
    );
  }
}
