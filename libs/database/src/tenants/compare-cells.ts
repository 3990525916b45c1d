import type { Client } from 'pg';
import { type Cells, REPLICATED_TABLES } from './cells';
import { asTenant, TenantFault, type TenantRow } from './tenant-session';

/**
 * Rows that never change once they are older than any transaction. They are compared before the switch, so that the
 * seconds of the switch do not grow with the length of the trail.
 */
const APPEND_ONLY: Readonly<Record<string, string>> = {
  'audit.audit_events': 'created_at < $2::timestamptz',
  'builds.builds': 'build_id < tenancy.first_id($2::timestamptz)',
};
/** Longer than any transaction of a service. */
const SETTLED_SECONDS = 120;

interface TableSum {
  rows: string;
  sum: string;
}

/** The moment before which the rows of append-only tables change no more. */
export async function readSettledUntil({ from }: Cells): Promise<string> {
  const { rows } = await from.query<{ moment: string }>(
    `SELECT (clock_timestamp() - make_interval(secs => ${SETTLED_SECONDS}))::text AS moment`,
  );
  return rows[0]!.moment;
}

/**
 * Compares the settled rows of the append-only tables, or all other rows.
 *
 * @throws TenantFault naming the tables that differ in the number or the checksum of their rows
 */
export async function expectSame(
  { from, to }: Cells,
  tenant: TenantRow,
  { which, until }: { which: 'settled' | 'rest'; until: string },
): Promise<void> {
  const tables = REPLICATED_TABLES.filter(({ name }) => which === 'rest' || name in APPEND_ONLY);
  const [one, two] = await Promise.all(
    [from, to].map((client) => sumsOf(client, tenant.tenantId, { tables, which, until })),
  );
  const differing = tables.filter(
    (_, place) => one![place]!.rows !== two![place]!.rows || one![place]!.sum !== two![place]!.sum,
  );
  if (differing.length === 0) return;
  const names = differing.map(({ name }) => name).join(', ');
  throw new TenantFault(
    `The rows in the new cell are not those of the old one: ${names}. End the move with --cancel.`,
  );
}

async function sumsOf(
  client: Client,
  tenantId: string,
  { tables, which, until }: { tables: typeof REPLICATED_TABLES; which: 'settled' | 'rest'; until: string },
): Promise<TableSum[]> {
  return asTenant(client, tenantId, async (as) => {
    // A row's text depends on these.
    await client.query(
      `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL extra_float_digits = 1`,
    );
    const sums: TableSum[] = [];
    for (const { name, owner } of tables) {
      await as(owner);
      const settled = APPEND_ONLY[name];
      const condition =
        settled === undefined ? '$2::text IS NOT NULL' : which === 'settled' ? settled : `NOT (${settled})`;
      const { rows } = await client.query<TableSum>(
        `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS sum
           FROM ${name} t WHERE tenant_id = $1 AND ${condition}`,
        [tenantId, until],
      );
      sums.push(rows[0]!);
    }
    return sums;
  });
}
