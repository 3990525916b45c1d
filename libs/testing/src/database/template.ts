import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrate, setLoginPasswords } from '@plat/database';
import { LOGIN_PASSWORD } from './login-password';

const TEMPLATE = 'plat_template';
const TEMPLATE_UNFINISHED = 'plat_template_unfinished';
/** Any number will do, as long as it's the same in all workers. */
const TEMPLATE_LOCK = 7_528_101;

/**
 * A new database with all migrations applied: a copy of a template that the first worker of the run makes
 * while the others wait.
 *
 * @returns the owner's URL of the copy.
 */
export async function cloneTemplate(clusterUrl: string): Promise<string> {
  const client = new Client(clusterUrl);
  await client.connect();
  try {
    // The session holds the lock: if a worker dies half-way, the next one starts over.
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount === 0) await makeTemplate(client, clusterUrl);
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    const name = `test_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
    // The copy of a database lacks the revocation that the migration job makes on the original.
    await client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    return databaseUrl(clusterUrl, name);
  } finally {
    await client.end();
  }
}

/** Drops a copy, and cuts all connections to it. */
export async function dropDatabase(clusterUrl: string, name: string): Promise<void> {
  const client = new Client(clusterUrl);
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

async function makeTemplate(client: Client, clusterUrl: string): Promise<void> {
  const unfinishedUrl = databaseUrl(clusterUrl, TEMPLATE_UNFINISHED);
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_UNFINISHED} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE_UNFINISHED}`);
  await migrate(unfinishedUrl);
  const { rows } = await client.query<{ rolname: string }>(
    `SELECT rolname FROM pg_roles WHERE rolcanlogin AND rolname LIKE 'plat\\_%' AND rolname <> current_user`,
  );
  await setLoginPasswords(
    unfinishedUrl,
    Object.fromEntries(rows.map((role) => [role.rolname, LOGIN_PASSWORD])),
  );
  // Only a complete template gets this name, so no test copies half a template.
  await client.query(`ALTER DATABASE ${TEMPLATE_UNFINISHED} RENAME TO ${TEMPLATE}`);
}

function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
