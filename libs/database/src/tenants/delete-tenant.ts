import type { Client } from 'pg';
import { closeTenant, openTenant } from './close-tenant';
import { expectExportable, exportTrail } from './export-trail';
import { asDirectory, asTenant, TenantFault, tenantNamed, type TenantRow } from './tenant-session';
import { DIRECTORY_TABLES, TENANT_TABLES } from './tenant-tables';

/** Rows of a table that would go. */
export interface RowCount {
  table: string;
  rows: number;
}

export interface TenantDeletion {
  /** The file for the trail; undefined if it is to be deleted without an export. */
  exportFile?: string;
  /** Called with the rows of a table when the last of them has gone. */
  onDeleted?(count: RowCount): void;
  onExported?(events: number): void;
}

const BATCH_ROWS = 5_000;
/** Reviews go with their builds, of which each may have many. */
const BATCH_REVIEWS = 200;

/** Counts the rows of a tenant in each table that has them. Changes nothing. */
export async function countTenantRows(client: Client, { tenantId }: TenantRow): Promise<RowCount[]> {
  return asTenant(client, tenantId, async (as) => {
    const counts: RowCount[] = [];
    for (const { name, owner } of [...TENANT_TABLES, ...DIRECTORY_TABLES]) {
      await as(owner);
      const { rows } = await client.query<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ${name} WHERE tenant_id = $1`,
        [tenantId],
      );
      counts.push({ table: name, rows: rows[0]!.rows });
    }
    return counts;
  });
}

/** Lists the work that must be ended before a tenant can be deleted or moved, in words for a person; empty if none. */
export async function liveWorkOf(client: Client, { tenantId }: TenantRow): Promise<string[]> {
  return asTenant(client, tenantId, async (as) => {
    await as('plat_environments_owner');
    const environments = await client.query<{ name: string; status: string }>(
      'SELECT name, status FROM environments.environments WHERE tenant_id = $1 ORDER BY name',
      [tenantId],
    );
    await as('plat_reviews_owner');
    const merging = await client.query<{ name: string; target_branch: string }>(
      `SELECT name, target_branch FROM reviews.reviews WHERE tenant_id = $1 AND status = 'MERGE' ORDER BY name`,
      [tenantId],
    );
    return [
      ...environments.rows.map(
        ({ name, status }) => `the environment ${name} (${status}): plat delete ${name}`,
      ),
      ...merging.rows.map(
        ({ name, target_branch: target }) =>
          `the review ${name} holds the MERGE slot of ${target}: land it or requeue it`,
      ),
    ];
  });
}

/**
 * Deletes a tenant. It is closed first and its identity goes last; between them each step is a transaction of its own, so
 * that the command may be killed at any moment and run again. No row of another tenant is locked or changed.
 *
 * @throws TenantFault if environments live, a MERGE slot is held or the file is something else; then the tenant is served as before
 */
export async function deleteTenant(client: Client, name: string, deletion: TenantDeletion): Promise<void> {
  const tenant = await tenantNamed(client, name);
  if (tenant.closed === 'switching' || tenant.closed === 'arriving') {
    throw new TenantFault(
      `${name} is being moved: end the move first (npm run db -- move-tenant ${name} --cancel).`,
    );
  }
  const { exportFile } = deletion;
  if (exportFile !== undefined) await expectExportable(tenant, exportFile);
  if (tenant.closed !== 'ending') await lockOut(client, tenant);
  if (exportFile !== undefined) {
    const events = await exportTrail(client, tenant, exportFile);
    deletion.onExported?.(events);
  }
  await deleteTenantRows(client, tenant, deletion.onDeleted);
}

/** Work may begin until the tenant is closed, so live work is determined before and after. */
async function lockOut(client: Client, tenant: TenantRow): Promise<void> {
  // Live work in the cell that a tenant has moved to is not this cell's.
  if (tenant.closed !== 'moved') await expectNoLiveWork(client, tenant);
  await closeTenant(client, tenant.tenantId, 'ending');
  if (tenant.closed === 'moved') return;
  try {
    await expectNoLiveWork(client, tenant);
  } catch (error) {
    if (tenant.closed === undefined) await openTenant(client, tenant.tenantId);
    else await closeTenant(client, tenant.tenantId, 'disabled');
    throw error;
  }
}

async function expectNoLiveWork(client: Client, tenant: TenantRow): Promise<void> {
  const live = await liveWorkOf(client, tenant);
  if (live.length === 0) return;
  throw new TenantFault(`${tenant.name} still has work that must be ended first:\n${list(live)}`);
}

const list = (lines: string[]): string => lines.map((line) => `  - ${line}`).join('\n');

/** Deletes the rows of a tenant that is closed as ending, in bounded transactions. */
export async function deleteTenantRows(
  client: Client,
  tenant: TenantRow,
  onDeleted: (count: RowCount) => void = () => undefined,
): Promise<void> {
  let builds = 0;
  for (const { name, owner } of TENANT_TABLES) {
    const batch =
      name === 'reviews.reviews'
        ? () => deleteReviews(client, tenant.tenantId, (deleted) => (builds += deleted))
        : () => deleteRows(client, tenant.tenantId, { table: name, owner });
    let rows = name === 'builds.builds' ? builds : 0;
    for (let deleted = await batch(); deleted > 0; deleted = await batch()) rows += deleted;
    onDeleted({ table: name, rows });
  }
  for (const count of await deleteIdentity(client, tenant.tenantId)) onDeleted(count);
}

const deleteRows = (client: Client, tenantId: string, { table, owner }: { table: string; owner: string }) =>
  asTenant(client, tenantId, async (as) => {
    await as(owner);
    return countDeleted(client, 'SELECT tenancy.delete_rows($1, $2, $3) AS deleted', [
      table,
      tenantId,
      BATCH_ROWS,
    ]);
  });

/** Reviews and their builds name each other, so both go in one transaction, at whose end the keys are checked. */
const deleteReviews = (client: Client, tenantId: string, onBuilds: (deleted: number) => void) =>
  asTenant(client, tenantId, async (as) => {
    await as('plat_builds_owner');
    await client.query('SET CONSTRAINTS builds.builds_tenant_id_review_id_fkey DEFERRED');
    await as('plat_reviews_owner');
    const { rows } = await client.query<{ review_id: string }>(
      'SELECT review_id FROM reviews.reviews WHERE tenant_id = $1 ORDER BY review_id DESC LIMIT $2',
      [tenantId, BATCH_REVIEWS],
    );
    const reviewIds = rows.map(({ review_id: reviewId }) => reviewId);
    const { rowCount } = await client.query(
      'DELETE FROM reviews.reviews WHERE tenant_id = $1 AND review_id = ANY ($2)',
      [tenantId, reviewIds],
    );
    await as('plat_builds_owner');
    const builds = await client.query(
      'DELETE FROM builds.builds WHERE tenant_id = $1 AND review_id = ANY ($2)',
      [tenantId, reviewIds],
    );
    onBuilds(builds.rowCount ?? 0);
    return rowCount ?? 0;
  });

async function countDeleted(client: Client, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ deleted: string }>(text, values);
  return Number(rows[0]!.deleted);
}

/** The last step: nothing resolves to the tenant any more, and its name may be taken. */
const deleteIdentity = (client: Client, tenantId: string): Promise<RowCount[]> =>
  asDirectory(client, async () => {
    const counts: RowCount[] = [];
    for (const { name } of DIRECTORY_TABLES) {
      const { rowCount } = await client.query(`DELETE FROM ${name} WHERE tenant_id = $1`, [tenantId]);
      counts.push({ table: name, rows: rowCount ?? 0 });
    }
    return counts;
  });
