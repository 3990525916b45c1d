import { Client } from 'pg';
import type { Invariant } from './invariant';
import { LEDGER_INVARIANTS } from './ledger';
import { QUEUE_INVARIANTS } from './queue';
import { RECORD_INVARIANTS } from './records';
import { REVIEW_INVARIANTS } from './reviews';
import { TENANCY_INVARIANTS } from './tenancy';

export const INVARIANTS: Invariant[] = [
  ...QUEUE_INVARIANTS,
  ...REVIEW_INVARIANTS,
  ...RECORD_INVARIANTS,
  ...LEDGER_INVARIANTS,
  ...TENANCY_INVARIANTS,
];

export interface Violation {
  promise: string;
  rows: Record<string, unknown>[];
}

/** Most rows that are fetched of one violation. */
const ROWS_MAX = 20;

/**
 * Forces hash joins. All joins compare by equality, so a hash join is linear with any statistics. The other joins are
 * not, because all rows of one tenant and branch match each other.
 */
const LINEAR_JOINS = 'SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off';

/** The promises that a database breaks, checked on one snapshot in a read-only transaction. */
export async function examineDatabase(databaseUrl: string): Promise<Violation[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'plat-invariants' });
  await client.connect();
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(LINEAR_JOINS);
    // A function of a login in the schema public must not run in place of PostgreSQL's own.
    await client.query('SET LOCAL search_path TO pg_catalog, pg_temp');
    await seeEveryTenant(client);
    return await findViolations(client);
  } finally {
    await client.end();
  }
}

/** The promises that are broken in the rows that this connection sees. */
export async function findViolations(client: Client): Promise<Violation[]> {
  const broken: Violation[] = [];
  for (const { promise, sql, args } of INVARIANTS) {
    const limited = `SELECT * FROM (${sql}) AS v LIMIT ${ROWS_MAX}`;
    const { rows } = await client.query<Record<string, unknown>>(limited, args);
    if (rows.length > 0) broken.push({ promise, rows });
  }
  return broken;
}

/** Switches an owner to the inspector role, which has SELECT alone and is granted to no login. A superuser needs none. */
async function seeEveryTenant(client: Client): Promise<void> {
  const { rows } = await client.query<{ sees: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS sees FROM pg_roles WHERE rolname = current_user',
  );
  if (!rows[0]?.sees) await client.query('SET LOCAL ROLE plat_inspector');
}
