import type { Client } from 'pg';
import { type Cells, issuersOf } from './cells';
import { asDirectory, inTransaction, type TenantRow } from './tenant-session';

interface OrganizationRow {
  issuer_id: string;
  organization_id: string;
  disabled_at: string | null;
}

interface SubjectRow {
  issuer_id: string;
  subject: string;
  user_id: string;
}

/** Makes the tenant in the new cell, closed, so that its rows have a place. */
export async function announceTenant({ from, to }: Cells, { tenantId }: TenantRow): Promise<void> {
  const { rows } = await asDirectory(from, () =>
    from.query<{ name: string; kind: string; created_at: string }>(
      'SELECT name, kind, created_at::text FROM identity.tenants WHERE tenant_id = $1',
      [tenantId],
    ),
  );
  const { name, kind, created_at: createdAt } = rows[0]!;
  await asDirectory(to, async () => {
    await to.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id) DO NOTHING`,
      [tenantId, name, kind, createdAt],
    );
    await to.query(
      `INSERT INTO identity.closed_tenants (tenant_id, reason) VALUES ($1, 'arriving') ON CONFLICT DO NOTHING`,
      [tenantId],
    );
  });
}

/**
 * Copies which issuers, organisations and subjects are the tenant's, and sets the counter of releases past theirs. An
 * issuer that the new cell has under the same URL keeps its id there.
 */
export async function copyIdentity(cells: Cells, { tenantId }: TenantRow): Promise<void> {
  const { from, to } = cells;
  const issuers = await issuersOf(from, tenantId);
  const { organizations, subjects } = await membersOf(from, tenantId);
  await asDirectory(to, async () => {
    const ids = new Map<string, string>();
    for (const issuer of issuers) {
      const { rows } = await to.query<{ issuer_id: string }>(
        `INSERT INTO identity.issuers (issuer_id, name, url, audience, tenant_id, organization_claim, more_audiences)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (url) DO UPDATE SET url = excluded.url RETURNING issuer_id`,
        [
          issuer.issuer_id,
          issuer.name,
          issuer.url,
          issuer.audience,
          issuer.tenant_id,
          issuer.organization_claim,
          issuer.more_audiences,
        ],
      );
      ids.set(issuer.issuer_id, rows[0]!.issuer_id);
    }
    const there = <Row extends { issuer_id: string }>(rows: Row[]) =>
      JSON.stringify(rows.map((row) => ({ ...row, issuer_id: ids.get(row.issuer_id) })));
    await to.query('DELETE FROM identity.organizations WHERE tenant_id = $1', [tenantId]);
    await to.query(
      `INSERT INTO identity.organizations (issuer_id, organization_id, tenant_id, disabled_at)
       SELECT issuer_id, organization_id, $1, disabled_at
         FROM jsonb_to_recordset($2) AS o (issuer_id uuid, organization_id text, disabled_at timestamptz)`,
      [tenantId, there(organizations)],
    );
    await to.query('DELETE FROM identity.subjects WHERE tenant_id = $1', [tenantId]);
    await to.query(
      `INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
       SELECT $1, issuer_id, subject, user_id
         FROM jsonb_to_recordset($2) AS s (issuer_id uuid, subject text, user_id uuid)`,
      [tenantId, there(subjects)],
    );
  });
  await advanceCounters(cells, tenantId);
}

const membersOf = (from: Client, tenantId: string) =>
  asDirectory(from, async () => ({
    organizations: (
      await from.query<OrganizationRow>(
        'SELECT issuer_id, organization_id, disabled_at::text FROM identity.organizations WHERE tenant_id = $1',
        [tenantId],
      )
    ).rows,
    subjects: (
      await from.query<SubjectRow>(
        'SELECT issuer_id, subject, user_id FROM identity.subjects WHERE tenant_id = $1',
        [tenantId],
      )
    ).rows,
  }));

/** A release that is queued in the new cell must come after those that came along. */
const advanceCounters = ({ to }: Cells, tenantId: string): Promise<unknown> =>
  inTransaction(to, () =>
    to.query(
      `SELECT setval(s.name, greatest(nextval(s.name), (SELECT coalesce(max(queue_sequence), 0) + 1
                                                          FROM releases.releases WHERE tenant_id = $1)))
         FROM pg_get_serial_sequence('releases.releases', 'queue_sequence') AS s (name)`,
      [tenantId],
    ),
  );
