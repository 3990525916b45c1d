import type { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { nearest } from '@plat/local';
import type { Directory } from './directory';
import { DirectoryError } from './parse-directory';

type User = Directory['users'][number];

interface UserKey {
  tenantId: string;
  userId: string;
}

/**
 * Writes, disables and removes the users of a directory.
 *
 * @throws DirectoryError when a user names a role that neither the file nor the tenant has
 */
export async function applyUsers(client: Client, { users }: Directory): Promise<void> {
  for (const user of users) {
    if (user.state === 'removed') await removeUser(client, user);
    else await applyUser(client, user);
  }
}

async function applyUser(client: Client, user: User): Promise<void> {
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
  await grantRoles(client, user, { tenantId, userId });
  if (user.state !== undefined) {
    await setDisabled(client, { tenantId, userId }, user.state === 'disabled');
  }
}

async function grantRoles(client: Client, user: User, { tenantId, userId }: UserKey): Promise<void> {
  const granted = await client.query(
    `INSERT INTO identity.user_roles (tenant_id, user_id, role_id)
     SELECT $1, $2, role_id FROM identity.roles WHERE tenant_id = $1 AND name = ANY ($3)
     ON CONFLICT (tenant_id, user_id, role_id) DO UPDATE SET role_id = excluded.role_id`,
    [tenantId, userId, user.roles],
  );
  await client.query('SELECT identity.expect_user_within_caps($1, $2)', [tenantId, userId]);
  if (granted.rowCount !== user.roles.length) throw new DirectoryError(await strayRoles(client, user));
}

async function strayRoles(client: Client, { username, tenant, roles }: User): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT r.name FROM identity.roles r JOIN identity.tenants t USING (tenant_id) WHERE t.name = $1',
    [tenant],
  );
  const known = rows.map(({ name }) => name);
  return roles
    .filter((role) => !known.includes(role))
    .map((role) => {
      const meant = nearest(role, known);
      const question = meant === undefined ? '' : `: is ${meant} meant?`;
      return `user ${username} names the role ${role}, which tenant ${tenant} does not have${question}`;
    });
}

async function setDisabled(client: Client, { tenantId, userId }: UserKey, disabled: boolean): Promise<void> {
  await client.query(
    `UPDATE identity.users SET disabled_at = CASE WHEN $3 THEN coalesce(disabled_at, clock_timestamp()) END
      WHERE tenant_id = $1 AND user_id = $2`,
    [tenantId, userId, disabled],
  );
}

/** Takes a user's subjects and roles. The row stays, disabled: reviews and the trail name it. */
async function removeUser(client: Client, { tenant, username }: User): Promise<void> {
  const { rows } = await client.query<{ tenant_id: string; user_id: string }>(
    `SELECT tenant_id, user_id FROM identity.users JOIN identity.tenants t USING (tenant_id)
      WHERE t.name = $1 AND username = $2`,
    [tenant, username],
  );
  if (rows[0] === undefined) return;
  const { tenant_id: tenantId, user_id: userId } = rows[0];
  for (const table of ['identity.subjects', 'identity.user_roles']) {
    await client.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND user_id = $2`, [tenantId, userId]);
  }
  await setDisabled(client, { tenantId, userId }, true);
}
