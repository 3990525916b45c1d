import { Client } from 'pg';
import { LOGIN_ROLES } from './logins';

/** The setting of a service's login: the server logs no ERROR, but still slow statements, waits and FATAL. */
const SETTING = 'log_min_messages=log';

/** SQLSTATE of "tuple concurrently updated": another run of the job sets the same. */
const CONCURRENTLY_UPDATED = 'XX000';

/**
 * Keeps refusals out of the server's log, because their lines hold names of tenants' rows. Most errors of a service's
 * statements are refusals; the service itself logs the others with their cause. Only a superuser may set this, or an
 * owner with SET on the parameter; for any other owner nothing changes.
 *
 * @returns whether every service's login has the setting
 */
export async function keepRefusalsOutOfLog(ownerUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT has_parameter_privilege('log_min_messages', 'SET') AS may`,
    );
    if (rows[0]?.may) for (const role of await loudLogins(client)) await quiet(client, role);
    return (await loudLogins(client)).length === 0;
  } finally {
    await client.end();
  }
}

/** The services' logins whose refusals the server logs. */
async function loudLogins(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ rolname: string }>(
    `SELECT rolname FROM pg_roles
      WHERE rolname = ANY ($1::name[]) AND NOT coalesce($2 = ANY (rolconfig), false) ORDER BY rolname`,
    [Object.values(LOGIN_ROLES), SETTING],
  );
  return rows.map(({ rolname }) => rolname);
}

async function quiet(client: Client, role: string): Promise<void> {
  const [parameter, value] = SETTING.split('=') as [string, string];
  try {
    await client.query(
      `ALTER ROLE ${client.escapeIdentifier(role)} SET ${parameter} TO ${client.escapeLiteral(value)}`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== CONCURRENTLY_UPDATED) throw error;
  }
}
