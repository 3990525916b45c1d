import type { Client } from 'pg';

/**
 * Settings on which the result of a migration would depend, or by which it would end half-way. The owner's role or its
 * database may have others.
 */
const SETTINGS = {
  // Otherwise a name without a schema could mean an object that another login has made.
  search_path: 'pg_catalog, pg_temp',
  check_function_bodies: 'on',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  statement_timeout: '0',
  transaction_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
} as const;

/** Gives a session the settings of a migration, as far as its server knows them. */
export async function settleSession(client: Client): Promise<void> {
  await settle(client, { ...SETTINGS });
}

/** Gives the present transaction the settings by which PostgreSQL prints names. */
export async function settleNames(client: Client): Promise<void> {
  const { search_path, quote_all_identifiers } = SETTINGS;
  await settle(client, { search_path, quote_all_identifiers }, true);
}

async function settle(client: Client, settings: Record<string, string>, isLocal = false): Promise<void> {
  await client.query(
    `SELECT pg_catalog.set_config(s.key, s.value, $2) FROM pg_catalog.jsonb_each_text($1) AS s
      WHERE s.key IN (SELECT name FROM pg_catalog.pg_settings)`,
    [JSON.stringify(settings), isLocal],
  );
}
