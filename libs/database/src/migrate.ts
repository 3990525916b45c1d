import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { makeConcurrentIndexes } from './concurrent-indexes';
import { readMigrationFiles } from './migration-files';
import { expectUnedited, noteDigests, readHistory } from './migration-history';
import { lockMigrations } from './migration-lock';
import { requireOwnSession } from './own-session';
import { withShortLocks } from './short-locks';

/** The folder of the SQL files: beside the sources, or beside the bundle. */
export interface MigrationSource {
  migrationsDir: string;
}

/** The repository's own migrations, for tests and tools that run from the sources. */
export const SOURCE_MIGRATIONS: MigrationSource = { migrationsDir: join(__dirname, '..', 'migrations') };

const HISTORY = { migrationsSchema: 'migrations', migrationsTable: 'applied' } as const;

/** Months for which partitions exist, including the present one. */
const PARTITION_MONTHS = 12;

/**
 * Migrates a database to the newest schema, as its owner. May run at any time and several times at once: one run works
 * while the others wait, and nothing is applied twice.
 *
 * @returns the names of the migrations applied by this call
 * @throws Error for an address of a pooler in transaction mode
 */
export async function migrate(
  ownerUrl: string,
  source: MigrationSource = SOURCE_MIGRATIONS,
): Promise<string[]> {
  await requireOwnSession(ownerUrl);
  const unlock = await lockMigrations(ownerUrl);
  const client = new Client({ connectionString: ownerUrl });
  try {
    await client.connect();
    const applied = await applyMigrations(client, source);
    await makePartitions(client);
    await makeConcurrentIndexes(client);
    await validateConstraints(client);
    await closeNewDatabase(client);
    await forbidTemporaryTables(client);
    await stateVersion(client);
    return applied;
  } finally {
    await client.end();
    await unlock();
  }
}

/**
 * Applies each file in a transaction of its own, which holds its locks no longer than the file takes. A file that does
 * not get a lock in time is tried again; the files before it stay applied.
 */
async function applyMigrations(client: Client, { migrationsDir }: MigrationSource): Promise<string[]> {
  const files = await readMigrationFiles(migrationsDir);
  await expectUnedited(client, files);
  const before = new Set((await readHistory(client)).map(({ name }) => name));
  await withShortLocks(client, () =>
    runner({
      ...HISTORY,
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      createMigrationsSchema: true,
      checkOrder: true,
      singleTransaction: false,
      noLock: true,
      log: () => undefined,
      logger: SILENT,
    }),
  );
  await noteDigests(client, files);
  const names = (await readHistory(client)).map(({ name }) => name);
  return names.filter((name) => !before.has(name));
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

async function makePartitions(client: Client): Promise<void> {
  for (const parent of ['audit.audit_events', 'builds.builds']) {
    const call = "CALL tenancy.make_partitions($1, (now() AT TIME ZONE 'UTC')::date, $2)";
    await withShortLocks(client, () => client.query(call, [parent, PARTITION_MONTHS]));
  }
}

/**
 * Revokes the right to make temporary tables, which could shadow names and fill disks, from everybody but the owner. It
 * does so at each run, because restoring or copying a database loses what was granted and revoked on it.
 */
async function forbidTemporaryTables(client: Client): Promise<void> {
  await client.query(
    `DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$`,
  );
}

/** Ends the transition at once in a database in which no release before this one has tenants. */
async function closeNewDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM identity.proof_keys WHERE NOT release_before AND NOT closed',
  );
  if (rowCount === 1) await withShortLocks(client, () => client.query('CALL tenancy.end_transition()'));
}

/**
 * Revokes from the services' logins what only the release before needs. Call it when the last replica of that release
 * has ended. It may be called again at any time.
 */
export async function endTransition(ownerUrl: string): Promise<void> {
  await requireOwnSession(ownerUrl);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await withShortLocks(client, () => client.query('CALL tenancy.end_transition()'));
  } finally {
    await client.end();
  }
}

/** Whether the release before may still connect. */
export async function isInTransition(ownerUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM identity.proof_keys WHERE NOT closed');
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Records the schema's version. Services of this release start only after that. */
async function stateVersion(client: Client): Promise<void> {
  await client.query(
    'UPDATE identity.schema_state SET version = (SELECT max(name COLLATE "C") FROM migrations.applied)',
  );
}

/** Validates the constraints that migrations added as NOT VALID. This reads the rows without blocking writers. */
async function validateConstraints(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.conrelid::regclass, c.conname) AS statement
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
      WHERE NOT c.convalidated AND c.conparentid = 0 AND c.coninhcount = 0
        AND t.relowner IN (SELECT oid FROM pg_roles WHERE rolname LIKE 'plat\\_%\\_owner')`,
  );
  for (const { statement } of rows) await client.query(statement);
}
