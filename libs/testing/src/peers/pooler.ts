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
  /** The path of its `userlist.txt`. */
  folder: string;
  /** The variables by which psql reaches its console. */
  console: Record<string, string>;
  said(): string;
  stop(): Promise<void>;
}

/** Fewer than one service opens, so that its connections get the same server connection one after the other. */
const SERVER_CONNECTIONS = 2;
const LOGINS = ['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform'];

/** The user that may use the pooler's console, with the password of the tests' logins. */
const POOLER_ADMIN = 'pooler_admin';

export interface PoolerOptions {
  /** Default: a free one. */
  port?: number;
  /** Default: the distribution's. */
  program?: 'pgbouncer' | 'pgbouncer-newer';
  /** The passwords that it knows, by login; default: those of the services' logins in tests. */
  passwords?: Record<string, string>;
  /** Lines of its configuration. */
  settings?: Record<string, string>;
}

/**
 * Starts a pooler before all databases of a server on 127.0.0.1, for the services' logins. Its file of passwords is
 * `userlist.txt` in its folder.
 */
export async function startPooler(databasePort: number, options: PoolerOptions = {}): Promise<Pooler> {
  const { program = 'pgbouncer', settings = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'plat-pooler-'));
  // If this process is root, PgBouncer runs as `nobody` and has to read its files as that user.
  await chmod(folder, 0o755);
  const port = options.port ?? (await findFreePort());
  const passwords = options.passwords ?? Object.fromEntries(LOGINS.map((login) => [login, LOGIN_PASSWORD]));
  const known = Object.entries({ ...passwords, [POOLER_ADMIN]: LOGIN_PASSWORD });
  await writeFile(
    join(folder, 'userlist.txt'),
    known.map(([login, password]) => `"${login}" "${password}"\n`).join(''),
  );
  const configuration = join(folder, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'userlist.txt'),
    admin_users: POOLER_ADMIN,
    pool_mode: 'transaction',
    default_pool_size: SERVER_CONNECTIONS,
    max_client_conn: 2000,
    server_login_retry: 1,
    ...settings,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(
    configuration,
    `[databases]\n* = host=127.0.0.1 port=${databasePort}\n[pgbouncer]\n${text.join('')}`,
  );
  const server = await startServerProcess({
    program: peer(program),
    args: [...(process.getuid?.() === 0 ? ['--user', 'nobody'] : []), configuration],
    ready: /process up/,
  });
  return {
    port,
    folder,
    console: {
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: POOLER_ADMIN,
      PGPASSWORD: LOGIN_PASSWORD,
    },
    said: server.said,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
