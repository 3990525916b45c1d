import { type Cells, expectMovable } from './cells';
import { closeTenant, markMoved, openTenant } from './close-tenant';
import { expectSame, readSettledUntil } from './compare-cells';
import { deleteTenant, deleteTenantRows } from './delete-tenant';
import { announceTenant, copyIdentity } from './move-identity';
import {
  isSubscribed,
  startReplication,
  stopReplication,
  waitForChanges,
  waitForCopy,
} from './replicate-tenant';
import { findTenant, TenantFault, tenantNamed, type TenantRow } from './tenant-session';

export interface Move {
  /** The address of the new cell's API, for the callers of the tenant. */
  apiUrl: string;
  /** Called with each step, in words for a person. */
  onStep?(step: string): void;
}

/**
 * Moves a tenant to another cell. PostgreSQL copies the tenant's rows and then its changes, while the tenant is served.
 * Then the tenant's requests are refused with TENANT_MOVING until the last changes have arrived and both sides hold the
 * same rows, and from then on with TENANT_MOVED. Of the two cells at most one serves the tenant at any moment. The rows
 * in the old cell stay until `finishMove`. The command may be killed at any moment and run again.
 *
 * @returns the milliseconds for which the tenant's requests were refused; 0 if the switch was made before
 * @throws TenantFault if the tenant cannot be moved; until the switch it is served by the old cell as before
 */
export async function moveTenant(cells: Cells, name: string, { apiUrl, onStep }: Move): Promise<number> {
  const step = onStep ?? (() => undefined);
  const tenant = await tenantNamed(cells.from, name);
  if (tenant.closed === 'moved') return openMoved(cells, tenant);
  if (tenant.closed !== undefined && tenant.closed !== 'switching') {
    throw new TenantFault(`${name} is not served (${tenant.closed}), so it cannot be moved.`);
  }
  if (tenant.closed === undefined || (await isSubscribed(cells.to, tenant))) {
    await expectMovable(cells, tenant);
    await announceTenant(cells, tenant);
    await startReplication(cells, tenant);
    await waitForCopy(cells, tenant, (copied, tables) => step(`copied ${copied} of ${tables} tables`));
  }
  const until = await readSettledUntil(cells);
  await waitForSettled(cells, tenant, until);
  step('the rows that change no more are the same on both sides');
  const since = performance.now();
  await switchCells(cells, tenant, { apiUrl, until });
  const refusedMs = performance.now() - since;
  await stopReplication(cells, tenant);
  return refusedMs;
}

/** After a switch that was interrupted there is no replication any more, and the rows are compared all the same. */
async function waitForSettled(cells: Cells, tenant: TenantRow, until: string): Promise<void> {
  if (await isSubscribed(cells.to, tenant)) await waitForChanges(cells, tenant);
  await expectSame(cells, tenant, { which: 'settled', until });
}

async function switchCells(
  cells: Cells,
  tenant: TenantRow,
  { apiUrl, until }: { apiUrl: string; until: string },
): Promise<void> {
  await closeTenant(cells.from, tenant.tenantId, 'switching');
  try {
    if (await isSubscribed(cells.to, tenant)) await waitForChanges(cells, tenant);
    await expectSame(cells, tenant, { which: 'rest', until });
    await copyIdentity(cells, tenant);
  } catch (error) {
    // Nothing has moved yet, so the old cell serves on. If the connection is lost, the next run does the same.
    await openTenant(cells.from, tenant.tenantId).catch(() => undefined);
    throw error;
  }
  await markMoved(cells.from, tenant.tenantId, apiUrl);
  await openTenant(cells.to, tenant.tenantId);
}

/** A command that was killed may have marked the tenant as moved without opening it in the new cell. */
async function openMoved(cells: Cells, tenant: TenantRow): Promise<number> {
  const arrived = await tenantNamed(cells.to, tenant.name);
  if (arrived.closed === 'arriving') await openTenant(cells.to, arrived.tenantId);
  await stopReplication(cells, tenant);
  return 0;
}

/**
 * Ends a move that has not switched: the old cell serves the tenant, and the rows in the new cell are deleted. May be
 * run again.
 *
 * @throws TenantFault if the tenant has moved already
 */
export async function cancelMove(cells: Cells, name: string): Promise<void> {
  const tenant = await tenantNamed(cells.from, name);
  if (tenant.closed === 'moved') throw new TenantFault(`${name} has moved already: --finish ends the move.`);
  // The old cell first: if the new one cannot be reached any more, the tenant is served all the same.
  if (tenant.closed === 'switching') await openTenant(cells.from, tenant.tenantId);
  await stopReplication(cells, tenant);
  const arrived = await findTenant(cells.to, name);
  if (arrived === undefined || !['arriving', 'ending'].includes(arrived.closed ?? '')) return;
  await closeTenant(cells.to, arrived.tenantId, 'ending');
  await deleteTenantRows(cells.to, arrived);
}

/**
 * Deletes the rows of a tenant that has moved from the old cell. May be run again.
 *
 * @throws TenantFault if the tenant has not moved, or the new cell does not serve it
 */
export async function finishMove(cells: Cells, name: string): Promise<void> {
  const { from, to } = cells;
  const tenant = await findTenant(from, name);
  if (tenant === undefined) return;
  const arrived = await findTenant(to, name);
  const served = arrived?.tenantId === tenant.tenantId && arrived.closed === undefined;
  if (!served || !['moved', 'ending'].includes(tenant.closed ?? '')) {
    throw new TenantFault(`${name} has not moved: the new cell does not serve it. Nothing was deleted.`);
  }
  // A command that was killed may have left it, and the deletions must not reach the new cell.
  await stopReplication(cells, tenant);
  await deleteTenant(from, name, {});
}
