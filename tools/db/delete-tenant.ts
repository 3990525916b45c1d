import {
  countTenantRows,
  deleteTenant,
  findTenant,
  liveWorkOf,
  type RowCount,
  tenantNamed,
  withOwner,
} from '@plat/database';
import { readOperand } from './arguments';
import type { DatabaseJob } from './commands';
import { UsageError } from './failure';

export const DELETE_TENANT_USAGE = `npm run db -- delete-tenant NAME
  prints what would be deleted, and deletes nothing
npm run db -- delete-tenant NAME --confirm NAME (--export FILE | --no-export)
  deletes the tenant, after its trail is in FILE or is given up; may be killed at any moment and run again`;

/** The list of what a tenant leaves outside of the database. */
const OUTSIDE = `stays, for others to remove or to keep:
  namespaces of its environments in their clusters, and what runs there
  records of its environments' public names in DNS, and in terraform
  merge receipts that others hold: they can be verified as long as the key is published
  backups of this database, until they expire
  the directory file: take the tenant out of it, or the next migrate makes a new one of that name`;

/** Prints what a tenant has, or deletes it. */
export async function runDeleteTenant(job: DatabaseJob, args: string[]): Promise<void> {
  const { operand: name, values } = readOperand(args, {
    options: { confirm: { type: 'string' }, export: { type: 'string' }, 'no-export': { type: 'boolean' } },
    usage: DELETE_TENANT_USAGE,
  });
  const { confirm, export: exportFile, 'no-export': noExport = false } = values;
  if (confirm === undefined) return runDry(job, name);
  if (confirm !== name) throw new UsageError(`--confirm must repeat the name: ${name}`);
  if (noExport === (exportFile !== undefined)) throw new UsageError(DELETE_TENANT_USAGE);
  await withOwner(job.ownerUrl, async (client) => {
    // A command that was killed after its last step is not wrong to run again.
    if ((await findTenant(client, name)) === undefined) return job.print(`There is no tenant ${name}.`);
    await deleteTenant(client, name, {
      exportFile,
      onExported: (events) => job.print(`exported ${events} audit events to ${exportFile}`),
      onDeleted: (count) => print(job, 'deleted', [count]),
    });
    job.print(`The tenant ${name} is deleted.`);
  });
}

const runDry = ({ ownerUrl, print: say }: DatabaseJob, name: string): Promise<void> =>
  withOwner(ownerUrl, async (client) => {
    const tenant = await tenantNamed(client, name);
    print({ print: say }, 'would delete', await countTenantRows(client, tenant));
    say(OUTSIDE);
    const live = await liveWorkOf(client, tenant);
    for (const work of live) say(`must be ended first: ${work}`);
    say(`Nothing was deleted. To delete: delete-tenant ${name} --confirm ${name} --export FILE`);
  });

function print({ print: say }: Pick<DatabaseJob, 'print'>, verb: string, counts: RowCount[]): void {
  for (const { table, rows } of counts) if (rows > 0) say(`${verb} ${String(rows).padStart(9)}  ${table}`);
}
