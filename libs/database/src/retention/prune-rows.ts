import type { Client } from 'pg';
import { asTenant } from '../tenants/tenant-session';
import { allTenants } from './all-tenants';

/** A table whose rows are pruned one by one, by a function of its owner. */
export type PrunedTable = keyof typeof PRUNERS;

const PRUNERS = {
  'builds.builds': { owner: 'plat_builds_owner', prune: 'builds.prune' },
  'reviews.gate_runs': { owner: 'plat_reviews_owner', prune: 'reviews.prune_gate_runs' },
} as const;

/** Rows that went, or would go, and that stay because something needs them. */
export interface PrunedRows {
  removed: number;
  kept: number;
  /** When the oldest and the newest that go were made, in UTC. */
  oldest?: string;
  newest?: string;
}

interface Batch extends PrunedRows {
  last: string | null;
}

const BATCH_ROWS = 1_000;

/**
 * Deletes the rows of all tenants that are older than a moment and that nothing needs, in transactions of a thousand rows
 * at most, or counts them if `dry`. It may be killed at any moment and run again.
 */
export async function pruneRows(
  client: Client,
  table: PrunedTable,
  { before, dry }: { before: string; dry: boolean },
): Promise<PrunedRows> {
  const total: PrunedRows = { removed: 0, kept: 0 };
  for (const tenantId of await allTenants(client)) {
    for (let after: string | null = null; ;) {
      const batch: Batch = await pruneBatch(client, table, { tenantId, before, after, dry });
      add(total, batch);
      if (batch.last === null) break;
      after = batch.last;
    }
  }
  if (!dry) await vacuum(client, table, before);
  return total;
}

/**
 * Returns the space at the end of old partitions to the system, and all of it if they are empty. It blocks no session.
 */
async function vacuum(client: Client, table: PrunedTable, before: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('VACUUM (SKIP_LOCKED) %s', c.oid::regclass) AS statement
       FROM pg_class p LEFT JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = coalesce(i.inhrelid, p.oid)
      WHERE p.oid = $1::regclass
        AND (c.relname !~ '_[0-9]{4}_[0-9]{2}$' OR right(c.relname, 7) <= to_char($2::timestamptz AT TIME ZONE 'UTC', 'YYYY_MM'))`,
    [table, before],
  );
  await client.query(`SET ROLE ${PRUNERS[table].owner}`);
  try {
    for (const { statement } of rows) await client.query(statement);
  } finally {
    await client.query('RESET ROLE').catch(() => undefined);
  }
}

async function pruneBatch(
  client: Client,
  table: PrunedTable,
  { tenantId, before, after, dry }: { tenantId: string; before: string; after: string | null; dry: boolean },
): Promise<Batch> {
  const { owner, prune } = PRUNERS[table];
  const { rows } = await asTenant(client, tenantId, async (as) => {
    await as(owner);
    return client.query<{ last: string | null; removed: string; kept: string; oldest: Date; newest: Date }>(
      `SELECT last, removed, kept, oldest, newest FROM ${prune}($1, $2, $3, ${BATCH_ROWS}, $4)`,
      [tenantId, before, after, dry],
    );
  });
  const { last, removed, kept, oldest, newest } = rows[0]!;
  const time = (moment: Date | null): string | undefined => moment?.toISOString();
  return { last, removed: Number(removed), kept: Number(kept), oldest: time(oldest), newest: time(newest) };
}

function add(total: PrunedRows, { removed, kept, oldest, newest }: PrunedRows): void {
  total.removed += removed;
  total.kept += kept;
  if (oldest !== undefined && (total.oldest === undefined || oldest < total.oldest)) total.oldest = oldest;
  if (newest !== undefined && (total.newest === undefined || newest > total.newest)) total.newest = newest;
}
