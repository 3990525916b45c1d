import type { Client } from 'pg';
import { SCHEMA_VERSION } from '../schema-version';
import { readHistory } from './migration-history';

/**
 * Whether a newer release has migrated the database, or has begun to. Its functions serve the services of this release as
 * well, so they stay.
 *
 * @param migrations the names of the files of this release
 */
export async function isOfNewerRelease(client: Client, migrations: readonly string[]): Promise<boolean> {
  if (((await readVersion(client)) ?? '') > SCHEMA_VERSION) return true;
  const newest = [...migrations].sort().at(-1) ?? '';
  return (await readHistory(client)).some(({ name }) => name > newest);
}

/** The version that a database has noted: empty if a first migration has not ended, undefined if it has not begun. */
export async function readVersion(client: Client): Promise<string | undefined> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('identity.schema_state') IS NOT NULL AS there`,
  );
  if (!found[0]!.there) return undefined;
  const { rows } = await client.query<{ version: string }>('SELECT version FROM identity.schema_state');
  return rows[0]?.version ?? '';
}

/** Records the schema's version, unless it is a newer one. Services of this release start only after that. */
export async function stateVersion(client: Client): Promise<void> {
  await client.query('UPDATE identity.schema_state SET version = $1 WHERE version < $1 COLLATE "C"', [
    SCHEMA_VERSION,
  ]);
}

/**
 * Brings the one row of the state back if it was deleted. Nothing else says which older releases work on the schema, so
 * none starts on it from then on.
 */
export async function restoreState(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO identity.schema_state (version, works_from) VALUES ('', $1) ON CONFLICT (only_row) DO NOTHING`,
    [SCHEMA_VERSION],
  );
}
