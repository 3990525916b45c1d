import type { Client } from 'pg';
import { withShortLocks } from '../connections/short-locks';
import { findDifferentFunctions, noteFunctions } from './function-facts';
import type { FunctionFile } from './function-files';
import { resetRights } from './function-rights';
import { FunctionFault, readSchemaOwners, replaceFunctions } from './replace-functions';

/**
 * Makes the functions again whose files changed, or that are not what their files made, all in one transaction. It records
 * the digests of the files and of the functions. A function has the owner and the grants of its file alone.
 *
 * @param client settled by `settleSession`
 * @param files in the order of `readFunctionFiles`
 * @returns the names of the files that were applied
 * @throws Error naming file and line of a faulty statement; nothing is changed then
 */
export async function applyFunctions(client: Client, files: readonly FunctionFile[]): Promise<string[]> {
  await prepareNotes(client);
  const { pending, altered } = await findDifferentFunctions(client, files);
  const changed = files.filter((file) => pending.includes(file) || altered.includes(file));
  if (changed.length === 0) return [];
  await withShortLocks(client, async () => {
    await client.query('BEGIN');
    try {
      await replaceAll(client, changed);
      await noteFunctions(client, changed);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  });
  return changed.map(({ name }) => name);
}

/**
 * Makes functions that are not there yet, as far as the types that they name are, so that a migration can put them into a
 * trigger or a policy. No service calls them yet. Their bodies are not looked into: `applyFunctions` makes them again.
 */
export async function makeMissingFunctions(client: Client, files: readonly FunctionFile[]): Promise<void> {
  const owners = await readSchemaOwners(client);
  const there = await readFunctionNames(client);
  const missing = files.filter(
    ({ schema, functions }) => owners.has(schema) && !functions.some((name) => there.has(name)),
  );
  await client.query('BEGIN');
  await client.query('SET LOCAL check_function_bodies = off');
  // Types that are missing yet are no errors for the server's log.
  await client.query(
    `SELECT set_config('log_min_messages', 'fatal', true) WHERE has_parameter_privilege('log_min_messages', 'SET')`,
  );
  for (const file of missing) {
    await client.query('SAVEPOINT before');
    try {
      await replaceFunctions(client, file, owners);
    } catch (error) {
      if (!(error instanceof FunctionFault) || !error.namesMissing) throw error;
      await client.query('ROLLBACK TO before');
    }
  }
  await client.query('COMMIT');
}

/** Makes the table of notes as it is today. A table that is complete is not locked: a dump may read it for long. */
async function prepareNotes(client: Client): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations.functions (name text PRIMARY KEY, sha256 text NOT NULL, made text)',
  );
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'migrations.functions'::regclass AND attname = 'made'`,
  );
  if (rowCount === 1) return;
  await withShortLocks(client, () => client.query('ALTER TABLE migrations.functions ADD COLUMN made text'));
}

/** Replaces the functions twice where new ones get default privileges, which the second time takes back. */
async function replaceAll(client: Client, files: readonly FunctionFile[]): Promise<void> {
  const owners = await readSchemaOwners(client);
  const { rowCount } = await client.query(`SELECT FROM pg_default_acl WHERE defaclobjtype = 'f'`);
  for (let times = rowCount === 0 ? 1 : 2; times > 0; times -= 1) {
    await resetRights(client, files, owners);
    for (const file of files) await replaceFunctions(client, file, owners);
  }
}

async function readFunctionNames(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%s.%s', n.nspname, p.proname) AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}
