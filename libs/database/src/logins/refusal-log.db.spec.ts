import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { migrate } from '../migrations/migrate';
import { prepareBackupRole } from './backup-role';
import { LOGIN_ROLES, setLoginPasswords } from './logins';
import { keepRefusalsOutOfLog } from './refusal-log';

describe("the server's log", () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let ownerUrl: string;
  const logFile = () => join(folder, 'postgres.log');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-refusals-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false, logFile: logFile() });
    await query(cluster.url(), `CREATE ROLE owner LOGIN CREATEROLE CREATEDB PASSWORD 'test'`);
    await query(cluster.url(), 'CREATE DATABASE plat OWNER owner');
    ownerUrl = urlOf('owner');
    await migrate(ownerUrl);
    await setLoginPasswords(ownerUrl, { [LOGIN_ROLES.reviews]: 'test' });
  }, 60_000);
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  function urlOf(role: string): string {
    return Object.assign(new URL(cluster.url('plat')), { username: role, password: 'test' }).href;
  }

  async function query(url: string, sql: string): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  /** The lines that the server logs about a refused statement of a service's login. */
  async function readLoggedRefusal(name: string): Promise<string> {
    const refused = `SELECT tenancy.refuse('CONFLICT', NULL, 'The name ${name} is taken.')`;
    await expect(query(urlOf(LOGIN_ROLES.reviews), refused)).rejects.toMatchObject({ code: 'PL001' });
    const mark = `mark-${name}`;
    // The owner causes one more line: once it is there, all lines before it are written.
    await expect(query(ownerUrl, `SELECT 1/0 AS "${mark}"`)).rejects.toThrow('division by zero');
    for (;;) {
      const log = await readFile(logFile(), 'utf8');
      if (log.includes(mark)) return log.slice(0, log.indexOf(mark));
    }
  }

  it("has a service's refusals until the owner may change the setting, and none after that", async () => {
    expect(await keepRefusalsOutOfLog(ownerUrl)).toBe(false);
    expect(await readLoggedRefusal('loud-name')).toContain('The name loud-name is taken.');

    await query(cluster.url('plat'), 'GRANT SET ON PARAMETER log_min_messages TO owner');
    const runs = await Promise.all([keepRefusalsOutOfLog(ownerUrl), keepRefusalsOutOfLog(ownerUrl)]);
    expect(runs).toContain(true);
    expect(await keepRefusalsOutOfLog(ownerUrl)).toBe(true);
    expect(await readLoggedRefusal('quiet-name')).not.toContain('quiet-name is taken');
  });

  it('has no type that a first migration lacks on its way', async () => {
    await query(cluster.url('plat'), 'GRANT SET ON PARAMETER log_min_messages TO owner');
    await query(cluster.url(), 'CREATE DATABASE other OWNER owner');
    const before = (await readLoggedRefusal('unmigrated')).length;
    await migrate(Object.assign(new URL(ownerUrl), { pathname: '/other' }).href);
    expect((await readLoggedRefusal('migrated-then')).slice(before)).not.toContain('does not exist');
  }, 60_000);

  it("has no verifier of the backup role's password, which the owner may not set", async () => {
    await query(
      cluster.url(),
      'CREATE ROLE plat_backup LOGIN BYPASSRLS REPLICATION; GRANT pg_read_all_data TO plat_backup',
    );
    await expect(prepareBackupRole(ownerUrl, 'new')).rejects.toThrow('Only a superuser may set the password');
    expect(await readLoggedRefusal('backup')).not.toContain('SCRAM-SHA-256$');
  });

  it('still has the error that ends a connection', async () => {
    await keepRefusalsOutOfLog(cluster.url('plat'));
    const client = new Client({ connectionString: urlOf(LOGIN_ROLES.reviews) });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await query(cluster.url('plat'), `SELECT pg_terminate_backend(${rows[0]!.pid})`);
    await ended;
    expect(await readLoggedRefusal('after')).toContain('terminating connection due to administrator command');
  });
});
