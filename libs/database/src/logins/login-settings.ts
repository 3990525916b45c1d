import type { Client } from 'pg';

/** The settings of each service's login, as migrations made them. */
export const LOGIN_SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  statement_timeout: '11s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '30s',
};
/** Set by keepRefusalsOutOfLog, which a login cannot set for itself. */
export const QUIET_SETTING = 'log_min_messages';

interface Found {
  /** Null for all databases. */
  database: string | null;
  name: string;
  value: string;
}

/**
 * Gives a service's login the settings that it had at first. A role may change its own settings. Settings that an
 * attacker made with the login would outlive a change of its password.
 */
export async function restoreLoginSettings(client: Client, role: string): Promise<void> {
  const alter = `ALTER ROLE ${client.escapeIdentifier(role)}`;
  const found = await readSettings(client, role);
  const isOwn = ({ database, name, value }: Found) =>
    database === null && (name === QUIET_SETTING || LOGIN_SETTINGS[name] === value);
  for (const { database, name } of found.filter((each) => !isOwn(each))) {
    const where = database === null ? '' : ` IN DATABASE ${client.escapeIdentifier(database)}`;
    const parts = name.split('.').map((part) => client.escapeIdentifier(part));
    await client.query(`${alter}${where} RESET ${parts.join('.')}`);
  }
  for (const [name, value] of Object.entries(LOGIN_SETTINGS)) {
    if (found.some((each) => each.name === name && isOwn(each))) continue;
    await client.query(`${alter} SET ${name} TO ${client.escapeLiteral(value)}`);
  }
}

async function readSettings(client: Client, role: string): Promise<Found[]> {
  const { rows } = await client.query<Found>(
    `SELECT d.datname AS database, split_part(c, '=', 1) AS name, substr(c, strpos(c, '=') + 1) AS value
       FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
       LEFT JOIN pg_database d ON d.oid = s.setdatabase
      CROSS JOIN unnest(s.setconfig) AS c
      WHERE r.rolname = $1`,
    [role],
  );
  return rows;
}
