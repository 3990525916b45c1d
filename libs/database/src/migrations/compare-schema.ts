import { Client } from 'pg';
import { settleNames } from '../connections/settle-session';
import { findDifferentFunctions } from '../functions/function-facts';
import { type FunctionFile, readFunctionFiles } from '../functions/function-files';
import { SCHEMA_VERSION } from '../schema-version';
import type { SchemaSource } from './migrate';
import { findEditedFiles, type MigrationFile, readMigrationFiles } from './migration-files';
import { type AppliedMigration, readHistory, readNotedDigests } from './migration-history';
import { isOfNewerRelease, readVersion } from './schema-state';

/** How a database differs from the schema of a release; each list holds names, in order. */
export interface SchemaDifferences {
  applied: AppliedMigration[];
  pending: string[];
  /** Applied, and different from the present file of that name. */
  edited: string[];
  /** Applied, and without a file: the database belongs to a newer release, or to another product. */
  unknown: string[];
  /** Files of functions that were not applied. */
  functions: string[];
  /** Files that were applied, and whose functions were changed, dropped or granted by other means since. */
  altered: string[];
  /** The version that the database has noted, if it is older than this release's: a migration has not ended. */
  behind: string | undefined;
}

/** Compares a database with the schema of a release, as of one moment. A migration may run at the same time. */
export async function compareSchema(
  ownerUrl: string,
  { migrationsDir, functionsDir }: SchemaSource,
): Promise<SchemaDifferences> {
  const files = await readMigrationFiles(migrationsDir);
  const functionFiles = await readFunctionFiles(functionsDir);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await settleNames(client);
    return await compare(client, files, functionFiles);
  } finally {
    await client.end();
  }
}

async function compare(
  client: Client,
  files: MigrationFile[],
  functionFiles: FunctionFile[],
): Promise<SchemaDifferences> {
  const applied = await readHistory(client);
  const names = new Set(applied.map(({ name }) => name));
  const known = files.map(({ name }) => name);
  const isNewer = await isOfNewerRelease(client, known);
  const { pending, altered } = await findDifferentFunctions(client, isNewer ? [] : functionFiles);
  const version = (await readVersion(client)) ?? '';
  return {
    applied,
    pending: known.filter((name) => !names.has(name)),
    edited: findEditedFiles(files, await readNotedDigests(client)),
    unknown: [...names].filter((name) => !known.includes(name)),
    functions: pending.map(({ name }) => name),
    altered: altered.map(({ name }) => name),
    behind: isNewer || version >= SCHEMA_VERSION ? undefined : version,
  };
}
