import { type Client, DatabaseError } from 'pg';
import type { FunctionFile } from './function-files';
import { withShortLocks } from './short-locks';

/**
 * Makes the functions again whose files changed, all in one transaction, and records the digests of the files. A function
 * has the grants of its file alone.
 *
 * @param files in the order of `readFunctionFiles`
 * @returns the names of the files that were applied
 * @throws Error naming file and line of a faulty statement; nothing is changed then
 */
export async function applyFunctions(client: Client, files: readonly FunctionFile[]): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations.functions (name text PRIMARY KEY, sha256 text NOT NULL)',
  );
  const changed = await findChangedFunctions(client, files);
  if (changed.length === 0) return [];
  await withShortLocks(client, async () => {
    await client.query('BEGIN');
    try {
      await revokeGrants(client, changed);
      const owners = await readSchemaOwners(client);
      for (const file of changed) await replaceFunctions(client, file, owners);
      await noteFunctions(client, changed);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  });
  return changed.map(({ name }) => name);
}

/** The files whose content is not what the database has; all of them if it has none. */
export async function findChangedFunctions(
  client: Client,
  files: readonly FunctionFile[],
): Promise<FunctionFile[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations.functions') IS NOT NULL AS there`,
  );
  if (!found[0]!.there) return [...files];
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM migrations.functions',
  );
  const noted = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return files.filter(({ name, sha256 }) => noted.get(name) !== sha256);
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

/** Whether it is about a lock or a deadlock, for which `withShortLocks` tries again. */
const isForAnotherTry = ({ code = '' }: DatabaseError): boolean => /^(?:40|55)/.test(code);

/** SQLSTATEs of a schema, relation, column, type or function that does not exist. */
const MISSING = ['3F000', '42P01', '42703', '42704', '42883'];

class FunctionFault extends Error {
  constructor(
    { name, sql }: FunctionFile,
    override readonly cause: DatabaseError,
  ) {
    const line = sql.slice(0, Math.max(Number(cause.position) - 1, 0)).split('\n').length;
    super(`functions/${name}.sql:${line}: ${cause.message}`);
  }

  get namesMissing(): boolean {
    return MISSING.includes(this.cause.code ?? '');
  }
}

/** Runs a file as the owner of its functions. A role that does not own the schema may create there for that moment. */
async function replaceFunctions(
  client: Client,
  file: FunctionFile,
  owners: ReadonlyMap<string, string>,
): Promise<void> {
  const owner = file.owner ?? owners.get(file.schema);
  if (owner === undefined) throw new Error(`functions/${file.name}.sql: there is no schema ${file.schema}`);
  if (file.owner !== undefined) await client.query(`GRANT CREATE ON SCHEMA ${file.schema} TO ${owner}`);
  await client.query(`SET LOCAL ROLE ${owner}`);
  try {
    await client.query(file.sql);
  } catch (error) {
    throw error instanceof DatabaseError && !isForAnotherTry(error) ? new FunctionFault(file, error) : error;
  }
  await client.query('RESET ROLE');
  if (file.owner !== undefined) await client.query(`REVOKE CREATE ON SCHEMA ${file.schema} FROM ${owner}`);
}

/** Takes back every grant on the functions of the files, of those that are there. */
async function revokeGrants(client: Client, files: readonly FunctionFile[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('REVOKE ALL ON ROUTINE %s FROM %s', p.oid::regprocedure,
                   string_agg(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, ', ')) AS statement
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, aclexplode(p.proacl) AS a
      WHERE format('%s.%s', n.nspname, p.proname) = ANY ($1) AND a.grantee <> p.proowner
      GROUP BY p.oid`,
    [files.flatMap(({ functions }) => functions)],
  );
  for (const { statement } of rows) await client.query(statement);
}

async function readSchemaOwners(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ schema: string; owner: string }>(
    'SELECT nspname AS schema, nspowner::regrole::text AS owner FROM pg_namespace',
  );
  return new Map(rows.map(({ schema, owner }) => [schema, owner]));
}

async function readFunctionNames(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%s.%s', n.nspname, p.proname) AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function noteFunctions(client: Client, files: readonly FunctionFile[]): Promise<void> {
  await client.query(
    `INSERT INTO migrations.functions (name, sha256)
     SELECT f.name, f.sha256 FROM jsonb_to_recordset($1) AS f (name text, sha256 text)
         ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`,
    [JSON.stringify(files.map(({ name, sha256 }) => ({ name, sha256 })))],
  );
}
