import type { Client } from 'pg';
import { SCHEMA_VERSION } from './schema-version';

/**
 * Whether a newer release has migrated the database. Its functions serve the services of this release as well, so they
 * stay.
 */
export async function isOfNewerRelease(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('identity.schema_state') IS NOT NULL AS there`,
  );
  if (!rows[0]!.there) return false;
  const { rowCount } = await client.query(
    'SELECT FROM identity.schema_state WHERE version > $1 COLLATE "C"',
    [SCHEMA_VERSION],
  );
  return rowCount === 1;
}

/** Records the schema's version, unless it is a newer one. Services of this release start only after that. */
export async function stateVersion(client: Client): Promise<void> {
  await client.query('UPDATE identity.schema_state SET version = $1 WHERE version < $1 COLLATE "C"', [
    SCHEMA_VERSION,
  ]);
}
