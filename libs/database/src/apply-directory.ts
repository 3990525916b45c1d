import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import type { Directory } from './directory';
import { DirectoryError } from './parse-directory';
import { refusalOf } from './refusal';
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
  for (const { name, kind, id } of tenants) {
    await client.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET kind = excluded.kind`,
      [id ?? newId(), name, kind],
    );
  }
  await expectDistinctNamespaces(client);
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

async function applyIssuers(client: Client, { issuers }: Directory): Promise<void> {
  for (const { name, url, audience, tenant, organizationClaim, organizations } of issuers) {
    await client.query(
      `INSERT INTO identity.issuers (issuer_id, name, url, audience, tenant_id, organization_claim)
       VALUES ($1, $2, $3, $4, (SELECT tenant_id FROM identity.tenants WHERE name = $5), $6)
       ON CONFLICT (name) DO UPDATE SET url = excluded.url, audience = excluded.audience,
         tenant_id = excluded.tenant_id, organization_claim = excluded.organization_claim`,
      [newId(), name, url, audience, tenant ?? null, organizationClaim ?? null],
    );
    for (const [organization, organizationTenant] of Object.entries(organizations ?? {})) {
      await client.query(
        `INSERT INTO identity.organizations (issuer_id, organization_id, tenant_id)
         SELECT i.issuer_id, $2, t.tenant_id FROM identity.issuers i, identity.tenants t WHERE i.name = $1 AND t.name = $3
         ON CONFLICT (issuer_id, organization_id) DO UPDATE SET tenant_id = excluded.tenant_id`,
        [name, organization, organizationTenant],
      );
    }
  }
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

async function applyUsers(client: Client, { users }: Directory): Promise<void> {
  for (const user of users) {
    const { rows } = await client.query<{ tenant_id: string; user_id: string }>(
      `INSERT INTO identity.users (tenant_id, user_id, username)
       SELECT tenant_id, $2, $3 FROM identity.tenants WHERE name = $1
       ON CONFLICT (tenant_id, username) DO UPDATE SET username = excluded.username RETURNING tenant_id, user_id`,
      [user.tenant, user.id ?? newId(), user.username],
    );
    const { tenant_id: tenantId, user_id: userId } = rows[0]!;
    await client.query(
      `INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
       SELECT $1, issuer_id, $3, $4 FROM identity.issuers WHERE name = $2
       ON CONFLICT (tenant_id, issuer_id, subject) DO UPDATE SET user_id = excluded.user_id`,
      [tenantId, user.issuer, user.subject, userId],
    );
    const granted = await client.query(
      `INSERT INTO identity.user_roles (tenant_id, user_id, role_id)
       SELECT $1, $2, role_id FROM identity.roles WHERE tenant_id = $1 AND name = ANY ($3)
       ON CONFLICT (tenant_id, user_id, role_id) DO UPDATE SET role_id = excluded.role_id`,
      [tenantId, userId, user.roles],
    );
    await client.query('SELECT identity.expect_user_within_caps($1, $2)', [tenantId, userId]);
    if (granted.rowCount !== user.roles.length) {
      throw new DirectoryError([
        `user ${user.username} names a role that tenant ${user.tenant} does not have`,
      ]);
    }
  }
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
    await client.query('SELECT tenancy.enter_as($1, false)', [proof]);
    await client.query(
      `INSERT INTO environments.environments (tenant_id, environment_id, name, type) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, name) DO NOTHING`,
      [tenantId, id ?? newId(), name, type],
    );
  }
}
