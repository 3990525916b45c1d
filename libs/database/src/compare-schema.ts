import { Client } from 'pg';
import { findChangedFunctions } from './apply-functions';
import { type FunctionFile, readFunctionFiles } from './function-files';
import type { SchemaSource } from './migrate';
import { findEditedFiles, readMigrationFiles } from './migration-files';
import { type AppliedMigration, readHistory, readNotedDigests } from './migration-history';
import { isOfNewerRelease } from './schema-state';

/** How a database differs from the schema of a release; each list holds names, in order. */
export interface SchemaDifferences {
  applied: AppliedMigration[];
  pending: string[];
  /** Applied, and different from the present file of that name. */
  edited: string[];
  /** Applied, and without a file: the database belongs to a newer release, or to another product. */
  unknown: string[];
  /** Files of functions that are not what the database has. */
  functions: string[];
}

/** Compares a database with the schema of a release. */
export async function compareSchema(
  ownerUrl: string,
  { migrationsDir, functionsDir }: SchemaSource,
): Promise<SchemaDifferences> {
  const files = await readMigrationFiles(migrationsDir);
  const functionFiles = await readFunctionFiles(functionsDir);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const applied = await readHistory(client);
    const names = new Set(applied.map(({ name }) => name));
    const known = new Set(files.map(({ name }) => name));
    return {
      applied,
      pending: files.map(({ name }) => name).filter((name) => !names.has(name)),
      edited: findEditedFiles(files, await readNotedDigests(client)),
      unknown: [...names].filter((name) => !known.has(name)),
      functions: await findFunctionsToApply(client, functionFiles),
    };
  } finally {
    await client.end();
  }
}

async function findFunctionsToApply(client: Client, files: FunctionFile[]): Promise<string[]> {
  if (await isOfNewerRelease(client)) return [];
  return (await findChangedFunctions(client, files)).map(({ name }) => name);
}
