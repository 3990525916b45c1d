import { Client, DatabaseError } from 'pg';

/** The role that backups are made with. It reads every row, and no service is a member of it. */
export const BACKUP_ROLE = 'plat_backup';

const INSUFFICIENT_PRIVILEGE = '42501';

const STATEMENTS = [
  `CREATE ROLE ${BACKUP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE BYPASSRLS REPLICATION`,
  `GRANT pg_read_all_data TO ${BACKUP_ROLE}`,
  // A dump must hold every row of one moment, so no limit of time or of locks that others set may end it.
  `ALTER ROLE ${BACKUP_ROLE} SET statement_timeout TO 0`,
];

/**
 * Makes the role for backups, if it is missing. Row-level security is forced on every table of tenants, so a dump by the
 * database's owner fails, or holds no row.
 *
 * @throws Error with the statements for a superuser, if the owner may not make such a role, or if the role there is
 *   would not see every row
 */
export async function makeBackupRole(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    if (await seesEveryRow(client)) return;
    await client.query('BEGIN');
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `Only a superuser may make ${BACKUP_ROLE}, which reads past row-level security. Let one run, and run this again:\n` +
        STATEMENTS.map((statement) => `  ${statement};\n`).join(''),
      { cause: error },
    );
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
      `The role ${BACKUP_ROLE} exists and would miss rows, or may do more than read. Let a superuser drop it, or run:\n` +
        `  ALTER ROLE ${BACKUP_ROLE} LOGIN NOSUPERUSER BYPASSRLS REPLICATION; GRANT pg_read_all_data TO ${BACKUP_ROLE};`,
    );
  }
  return rows.length === 1;
}
