import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { makeConcurrentIndexes } from './concurrent-indexes';
import { migrationFiles } from './migration-files';
import { expectUnedited, historyOf, noteDigests } from './migration-history';
import { lockMigrations } from './migration-lock';
import { withShortLocks } from './short-locks';

/** Where the SQL files are: beside the sources, or beside the bundle that they were copied to. */
export interface MigrationSource {
  migrationsDir: string;
}

/** The repository's own migrations, for tests and tools that run from the sources. */
export const SOURCE_MIGRATIONS: MigrationSource = { migrationsDir: join(__dirname, '..', 'migrations') };

const HISTORY = { migrationsSchema: 'migrations', migrationsTable: 'applied' } as const;

/** Months of partitions that are kept made, the present one included. */
const PARTITION_MONTHS = 12;

/**
 * Brings a database to the newest schema, as its owner. Safe to run at any time and by several at once: one works
 * while the others wait for it, and nothing is applied twice.
 *
 * @returns the names of the migrations applied by this call
 */
export async function migrate(
  ownerUrl: string,
  source: MigrationSource = SOURCE_MIGRATIONS,
): Promise<string[]> {
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
 * Each file is a transaction of its own: it holds its locks no longer than itself, and one that did not have a lock in
 * time is tried again, while those before it stay.
 */
async function applyMigrations(client: Client, { migrationsDir }: MigrationSource): Promise<string[]> {
  const files = await migrationFiles(migrationsDir);
  await expectUnedited(client, files);
  const before = new Set((await historyOf(client)).map(({ name }) => name));
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
  const names = (await historyOf(client)).map(({ name }) => name);
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
 * Nobody but the owner makes temporary tables, which would shadow names and fill disks; a service needs none. At each
 * run, because a database that is restored or copied does not have what was granted and revoked on the one before.
 */
async function forbidTemporaryTables(client: Client): Promise<void> {
  await client.query(
    `DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$`,
  );
}

/** Where no release before this one has tenants, nothing is kept open for it. */
async function closeNewDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM identity.proof_keys WHERE NOT release_before AND NOT closed',
  );
  if (rowCount === 1) await withShortLocks(client, () => client.query('CALL tenancy.end_transition()'));
}

/**
 * Takes from the services' logins what only the release before needs: to be called when its last replica has gone. It
 * may be called again at any time.
 */
export async function endTransition(ownerUrl: string): Promise<void> {
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

/** Says what the schema is: from now on services of this release start on it. */
async function stateVersion(client: Client): Promise<void> {
  await client.query(
    'UPDATE identity.schema_state SET version = (SELECT max(name COLLATE "C") FROM migrations.applied)',
  );
}

/** Validates what migrations have left to it: the rows are read without holding anybody back. */
async function validateConstraints(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.conrelid::regclass, c.conname) AS statement
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
      WHERE NOT c.convalidated AND c.conparentid = 0 AND c.coninhcount = 0
        AND t.relowner IN (SELECT oid FROM pg_roles WHERE rolname LIKE 'plat\\_%\\_owner')`,
  );
  for (const { statement } of rows) await client.query(statement);
}
