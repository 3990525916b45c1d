import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOGIN_PASSWORD } from '../database/login-password';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** PgBouncer in transaction mode. */
export interface Pooler {
  port: number;
  stop(): Promise<void>;
}

/** Fewer than one service opens, so that its connections get the same server connection one after the other. */
const SERVER_CONNECTIONS = 2;
const LOGINS = ['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform'];

/**
 * Starts a pooler before all databases of a server on 127.0.0.1, for the services' logins.
 *
 * @param wantedPort default: a free one
 */
export async function startPooler(databasePort: number, wantedPort?: number): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-pooler-'));
  // If this process is root, PgBouncer runs as `nobody` and has to read its files as that user.
  await chmod(folder, 0o755);
  const port = wantedPort ?? (await findFreePort());
  const logins = join(folder, 'logins');
  const configuration = join(folder, 'pgbouncer.ini');
  await writeFile(logins, LOGINS.map((login) => `"${login}" "${LOGIN_PASSWORD}"\n`).join(''));
  await writeFile(
    configuration,
    `[databases]
* = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${logins}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 2000
server_login_retry = 1
`,
  );
  const server = await startServerProcess({
    program: peer('pgbouncer'),
    args: [...(process.getuid?.() === 0 ? ['--user', 'nobody'] : []), configuration],
    ready: /process up/,
  });
  return {
    port,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
