import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { requireOwnSession } from '../connections/own-session';
import { settleSession } from '../connections/settle-session';
import { withShortLocks } from '../connections/short-locks';
import { applyFunctions, makeMissingFunctions } from '../functions/apply-functions';
import { type FunctionFile, readFunctionFiles } from '../functions/function-files';
import { makeConcurrentIndexes } from './concurrent-indexes';
import { type MigrationFile, readMigrationFiles } from './migration-files';
import { expectUnedited, noteDigests, notePending, readHistory } from './migration-history';
import { lockMigrations } from './migration-lock';
import { noteObjects, rememberObjects } from './object-notes';
import { explainDenial } from './owner-denial';
import { isOfNewerRelease, restoreState, stateVersion } from './schema-state';

/** The folders of SQL: next to the sources, or next to the bundle. */
export interface SchemaSource {
  /** Numbered files that make and change tables, roles and policies. A file that landed is never edited. */
  migrationsDir: string;
  /** The functions as they are, a file each. */
  functionsDir: string;
}

/** The SQL of a checkout or of a bundle. */
export const schemaSource = (root: string): SchemaSource => ({
  migrationsDir: join(root, 'libs/database/migrations'),
  functionsDir: join(root, 'libs/database/functions'),
});

/** The SQL of this checkout, for tests and tools that run from the sources. */
export const SOURCE_SCHEMA: SchemaSource = schemaSource(join(__dirname, '../../../..'));

const HISTORY = { migrationsSchema: 'migrations', migrationsTable: 'applied' } as const;

/** Months for which partitions exist, including the present one. */
const PARTITION_MONTHS = 12;

/** The migrations and the files of functions that a run applied, by name. */
export interface AppliedSchema {
  migrations: string[];
  functions: string[];
}

/**
 * Migrates a database to the newest schema, as its owner. May run at any time and several times at once: one run works
 * while the others wait, and nothing is applied twice.
 *
 * @param onWait is called once if another run migrates, with the process that holds the lock
 * @throws Error for an address of a pooler in transaction mode, and for a database whose first migration is another one
 */
export async function migrate(
  ownerUrl: string,
  source: SchemaSource = SOURCE_SCHEMA,
  onWait: (holder: string) => void = () => undefined,
): Promise<AppliedSchema> {
  await requireOwnSession(ownerUrl);
  try {
    return await migrateAlone(ownerUrl, source, onWait);
  } catch (error) {
    throw await explainDenial(ownerUrl, error);
  }
}

async function migrateAlone(
  ownerUrl: string,
  source: SchemaSource,
  onWait: (holder: string) => void,
): Promise<AppliedSchema> {
  const lock = await lockMigrations(ownerUrl, onWait);
  const client = new Client({ connectionString: ownerUrl });
  // A lost connection fails the statement that runs, or the next one.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await Promise.race([lock.lost, applySchema(client, source)]);
  } finally {
    await client.end();
    await lock.release();
  }
}

async function applySchema(client: Client, source: SchemaSource): Promise<AppliedSchema> {
  await settleSession(client);
  const functionFiles = await readFunctionFiles(source.functionsDir);
  const files = await readMigrationFiles(source.migrationsDir);
  const migrations = await applyMigrations(client, source, { files, functionFiles });
  const isNewer = await isOfNewerRelease(
    client,
    files.map(({ name }) => name),
  );
  const functions = isNewer ? [] : await applyFunctions(client, functionFiles);
  await makePartitions(client);
  await rememberObjects(client);
  await makeConcurrentIndexes(client);
  await validateConstraints(client);
  await forbidForeignObjects(client);
  await noteObjects(client);
  if (!isNewer) await restoreState(client);
  await stateVersion(client);
  return { migrations, functions };
}

/**
 * Applies each file in a transaction of its own, which holds its locks no longer than the file takes. A file that does
 * not get a lock in time is tried again; the files before it stay applied.
 */
async function applyMigrations(
  client: Client,
  { migrationsDir }: SchemaSource,
  { files, functionFiles }: { files: MigrationFile[]; functionFiles: readonly FunctionFile[] },
): Promise<string[]> {
  const before = new Set((await readHistory(client)).map(({ name }) => name));
  expectThisHistory(before);
  await expectUnedited(client, files);
  const pending = files.filter(({ name }) => !before.has(name));
  if (pending.length > 0) await notePending(client, pending);
  for (let left = pending.length; left > 0; left -= 1) {
    // The triggers and policies of a file name functions, which need tables of the files before it.
    await makeMissingFunctions(client, functionFiles);
    await withShortLocks(client, async () => {
      // Close to the file: what is changed by hand in between would be noted as what the file made.
      await rememberObjects(client);
      await applyNext(client, migrationsDir);
    });
    await noteObjects(client);
  }
  // Files may have been applied by a program that noted no digests.
  await noteDigests(client, files);
  return pending.map(({ name }) => name);
}

/** Applies the first file that is not applied yet. */
async function applyNext(client: Client, migrationsDir: string): Promise<void> {
  await runner({
    ...HISTORY,
    dbClient: client,
    dir: migrationsDir,
    direction: 'up',
    count: 1,
    createMigrationsSchema: true,
    checkOrder: true,
    singleTransaction: false,
    noLock: true,
    log: () => undefined,
    logger: SILENT,
  });
}

/** The first file of an unreleased checkout. Its functions stood in migrations, and no way leads on. */
const EARLY_CHECKOUT = '0001_tenancy';

function expectThisHistory(applied: ReadonlySet<string>): void {
  if (!applied.has(EARLY_CHECKOUT)) return;
  throw new Error(
    'This database was made by an unreleased checkout of plat, and no migration leads from there to ' +
      'the schema of today. Make a new database; for npm start, remove its data folder. Nothing was done',
  );
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
 * Revokes from everybody but the owner the right to make temporary tables, which could shadow names and fill disks, and the
 * right to make objects in the schema public, which PostgreSQL 14 gave to everybody and an upgraded cluster keeps. It does so
 * at each run, because restoring or copying a database loses what was granted and revoked on it. If the schema is another's,
 * doctor names the statement.
 */
async function forbidForeignObjects(client: Client): Promise<void> {
  await client.query(
    `DO $$
     BEGIN
       EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
       IF EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = 'public' AND pg_has_role(n.nspowner, 'USAGE')) THEN
         REVOKE CREATE ON SCHEMA public FROM PUBLIC;
       END IF;
     END $$`,
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
