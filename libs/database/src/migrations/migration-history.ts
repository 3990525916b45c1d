import type { Client } from 'pg';
import { findEditedFiles, type MigrationFile } from './migration-files';

export interface AppliedMigration {
  name: string;
  /** RFC 3339 UTC. */
  appliedAt: string;
}

/** The applied migrations of a database, in order. */
export async function readHistory(client: Client): Promise<AppliedMigration[]> {
  if (!(await exists(client, 'migrations.applied'))) return [];
  const { rows } = await client.query<{ name: string; run_on: Date }>(
    // Stored without a time zone, in that of the session.
    'SELECT name, run_on::timestamptz AS run_on FROM migrations.applied ORDER BY id',
  );
  return rows.map((row) => ({ name: row.name, appliedAt: row.run_on.toISOString() }));
}

/**
 * Checks that no applied migration was edited since.
 *
 * @throws Error naming the edited files
 */
export async function expectUnedited(client: Client, files: MigrationFile[]): Promise<void> {
  const edited = findEditedFiles(files, await readNotedDigests(client));
  if (edited.length === 0) return;
  throw new Error(
    `Edited after it was applied: ${edited.join(', ')}. Nothing was done: put the file back as it was, and write a new one.`,
  );
}

/** Records the digests of the applied files that have none yet. */
export async function noteDigests(client: Client, files: readonly MigrationFile[]): Promise<void> {
  await makeDigests(client);
  await client.query(
    `INSERT INTO migrations.digests (name, sha256)
     SELECT f.name, f.sha256 FROM jsonb_to_recordset($1) AS f (name text, sha256 text)
      WHERE f.name IN (SELECT name FROM migrations.applied) ON CONFLICT DO NOTHING`,
    [JSON.stringify(files)],
  );
}

/**
 * Records the digests of files that are about to be applied. A run that is killed after a file was applied has its digest,
 * and not that of another content which the file may have at the next run.
 */
export async function notePending(client: Client, files: readonly MigrationFile[]): Promise<void> {
  await makeDigests(client);
  await client.query(
    `INSERT INTO migrations.digests (name, sha256)
     SELECT f.name, f.sha256 FROM jsonb_to_recordset($1) AS f (name text, sha256 text)
         ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`,
    [JSON.stringify(files)],
  );
}

const makeDigests = (client: Client) =>
  client.query('CREATE TABLE IF NOT EXISTS migrations.digests (name text PRIMARY KEY, sha256 text NOT NULL)');

/** The noted digests of applied files. */
export async function readNotedDigests(client: Client): Promise<Record<string, string>> {
  const tables = ['migrations.applied', 'migrations.digests'];
  for (const table of tables) if (!(await exists(client, table))) return {};
  const { rows } = await client.query<MigrationFile>(
    'SELECT name, sha256 FROM migrations.digests WHERE name IN (SELECT name FROM migrations.applied)',
  );
  return Object.fromEntries(rows.map(({ name, sha256 }) => [name, sha256]));
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    table,
  ]);
  return rows[0]!.found;
}
