import type { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { type Directory, type DirectoryOrganization, organizationsOf } from './directory';

type Issuer = Directory['issuers'][number];

/** Writes, disables and removes the issuers of a directory and the organisations of each. */
export async function applyIssuers(client: Client, { issuers }: Directory): Promise<void> {
  for (const issuer of issuers) {
    if (issuer.state === 'removed') {
      await removeIssuer(client, issuer.name);
      continue;
    }
    await applyIssuer(client, issuer);
    for (const organization of organizationsOf(issuer)) {
      await applyOrganization(client, issuer.name, organization);
    }
  }
}

async function applyIssuer(client: Client, issuer: Issuer): Promise<void> {
  const { name, url, audience, tenant, organizationClaim, state } = issuer;
  const [first, ...more] = [audience].flat();
  await client.query(
    `INSERT INTO identity.issuers (issuer_id, name, url, audience, tenant_id, organization_claim)
     VALUES ($1, $2, $3, $4, (SELECT tenant_id FROM identity.tenants WHERE name = $5), $6)
     ON CONFLICT (name) DO UPDATE SET url = excluded.url, audience = excluded.audience,
       tenant_id = excluded.tenant_id, organization_claim = excluded.organization_claim`,
    [newId(), name, url, first, tenant ?? null, organizationClaim ?? null],
  );
  await applyMoreAudiences(client, name, more);
  if (state === undefined) return;
  await client.query(
    `UPDATE identity.issuers SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, clock_timestamp()) END
      WHERE name = $1`,
    [name, state === 'disabled'],
  );
}

/** A schema before the migration of several audiences has no column for them, and needs none for an issuer with one. */
async function applyMoreAudiences(client: Client, name: string, more: readonly string[]): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'identity.issuers'::regclass AND attname = 'more_audiences'`,
  );
  if (rowCount === 0 && more.length === 0) return;
  await client.query('UPDATE identity.issuers SET more_audiences = $2 WHERE name = $1', [name, more]);
}

async function applyOrganization(
  client: Client,
  issuer: string,
  { organization, tenant, state }: DirectoryOrganization & { organization: string },
): Promise<void> {
  if (state === 'removed') {
    await client.query(
      `DELETE FROM identity.organizations o USING identity.issuers i
        WHERE o.issuer_id = i.issuer_id AND i.name = $1 AND o.organization_id = $2`,
      [issuer, organization],
    );
    return;
  }
  await client.query(
    `INSERT INTO identity.organizations (issuer_id, organization_id, tenant_id)
     SELECT i.issuer_id, $2, t.tenant_id FROM identity.issuers i, identity.tenants t WHERE i.name = $1 AND t.name = $3
     ON CONFLICT (issuer_id, organization_id) DO UPDATE SET tenant_id = excluded.tenant_id`,
    [issuer, organization, tenant],
  );
  if (state === undefined) return;
  await client.query(
    `UPDATE identity.organizations o
        SET disabled_at = CASE WHEN $3 THEN coalesce(o.disabled_at, clock_timestamp()) END
       FROM identity.issuers i WHERE o.issuer_id = i.issuer_id AND i.name = $1 AND o.organization_id = $2`,
    [issuer, organization, state === 'disabled'],
  );
}

/** Removes an issuer with its organisations and the subjects that it vouches for. Their users stay. */
async function removeIssuer(client: Client, name: string): Promise<void> {
  for (const table of ['identity.subjects', 'identity.organizations', 'identity.issuers']) {
    await client.query(
      `DELETE FROM ${table} WHERE issuer_id = (SELECT issuer_id FROM identity.issuers WHERE name = $1)`,
      [name],
    );
  }
}
