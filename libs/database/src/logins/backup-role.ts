import { Client, DatabaseError } from 'pg';
import { isRefusedLogin } from '../connections/refused-login';
import { setLoginPasswords } from './logins';

/** The role that backups are made with. It reads every row, and no service is a member of it. */
export const BACKUP_ROLE = 'plat_backup';

const INSUFFICIENT_PRIVILEGE = '42501';

const STATEMENTS = [
  `CREATE ROLE ${BACKUP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE BYPASSRLS REPLICATION`,
  `GRANT pg_read_all_data TO ${BACKUP_ROLE}`,
  // A dump must hold every row of one moment, so no limit of time or of locks that others set may end it.
  `ALTER ROLE ${BACKUP_ROLE} SET statement_timeout TO 0`,
];

/** psql asks for the password, and sends a verifier of it in place of the password. */
const SET_PASSWORD = `\\password ${BACKUP_ROLE}`;

const forSuperuser = (reason: string, statements: readonly string[]): string =>
  `${reason} Let one run this in psql, with the password in PLAT_BACKUP_PASSWORD, and run this again:\n` +
  [...statements.map((statement) => `${statement};`), SET_PASSWORD].map((line) => `  ${line}\n`).join('');

/**
 * Makes the role for backups with its password, or sets the password of the role that is there. Row-level security is
 * forced on every table of tenants, so a dump by the database's owner fails, or lacks the trail and the builds. A role
 * that a superuser has made and given this password is left as it is.
 *
 * @returns whether the password was set; false if the role had it
 * @throws Error with everything that a superuser must run, if the owner may not, or if the role there is would not see
 *   every row
 */
export async function prepareBackupRole(ownerUrl: string, password: string): Promise<boolean> {
  await makeBackupRole(ownerUrl);
  // A statement that PostgreSQL refuses is in its log, with the verifier of the password.
  if (!(await maySetPassword(ownerUrl))) {
    if (await logsIn(ownerUrl, password)) return false;
    throw forbiddenPassword();
  }
  try {
    await setLoginPasswords(ownerUrl, { [BACKUP_ROLE]: password });
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    if (await logsIn(ownerUrl, password)) return false;
    throw forbiddenPassword(error);
  }
}

const forbiddenPassword = (cause?: unknown): Error =>
  new Error(forSuperuser(`Only a superuser may set the password of ${BACKUP_ROLE}.`, []), { cause });

/** Whether PostgreSQL may let the owner set the password: it asks for the attributes that the role has. */
async function maySetPassword(ownerUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT rolsuper OR (rolbypassrls AND rolreplication) AS may FROM pg_roles WHERE rolname = current_user`,
    );
    return rows[0]!.may;
  } finally {
    await client.end();
  }
}

async function makeBackupRole(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    if (await seesEveryRow(client)) return;
    await client.query('BEGIN');
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const reason = `Only a superuser may make ${BACKUP_ROLE}, which reads past row-level security.`;
    throw new Error(forSuperuser(reason, STATEMENTS), { cause: error });
  } finally {
    await client.end();
  }
}

/** Whether the role exists. @throws Error if it exists and would not see every row */
async function seesEveryRow(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ sees: boolean }>(
    `SELECT rolbypassrls AND rolreplication AND rolcanlogin AND NOT rolsuper
            AND pg_has_role(oid, 'pg_read_all_data', 'USAGE') AS sees FROM pg_roles WHERE rolname = $1`,
    [BACKUP_ROLE],
  );
  if (rows[0]?.sees === false) {
    throw new Error(
      forSuperuser(`The role ${BACKUP_ROLE} exists and would miss rows, or may do more than read.`, [
        `ALTER ROLE ${BACKUP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE BYPASSRLS REPLICATION`,
        ...STATEMENTS.slice(1),
      ]),
    );
  }
  return rows.length === 1;
}

/** Whether the role logs in with the password. @throws Error if that cannot be determined */
async function logsIn(ownerUrl: string, password: string): Promise<boolean> {
  const url = Object.assign(new URL(ownerUrl), {
    username: BACKUP_ROLE,
    password: encodeURIComponent(password),
  });
  const client = new Client({ connectionString: url.href });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isRefusedLogin(error)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
