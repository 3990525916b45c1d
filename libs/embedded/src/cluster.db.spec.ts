import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type ClusterOptions, type EmbeddedCluster, startCluster } from './cluster';
import { findProcess } from './running-process';

// Making a database takes a second alone, and several when other suites run at the same time.
jest.setTimeout(60_000);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-embedded-'));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function start(options: Partial<ClusterOptions> & { dataDir: string }): Promise<EmbeddedCluster> {
  const cluster = await startCluster({ durable: false, ...options });
  cleanUps.push(() => cluster.stop());
  return cluster;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

describe('a cluster', () => {
  it('serves UTF-8 in the builtin C.UTF-8 order, over TCP on 127.0.0.1 alone, as an unprivileged user', async () => {
    const dataDir = await folder();
    const cluster = await start({ dataDir });
    const [row] = await query(
      cluster.url(),
      `SELECT current_setting('server_encoding') AS encoding, datlocale, current_setting('listen_addresses') AS listen,
              current_setting('unix_socket_directories') AS sockets, current_setting('fsync') AS fsync
         FROM pg_database WHERE datname = 'postgres'`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
      listen: '127.0.0.1',
      sockets: '',
      fsync: 'off',
    });
    expect((await stat(join(dataDir, 'data'))).uid).not.toBe(0);
  });

  it('asks for the generated password, which no process lists in its arguments', async () => {
    const dataDir = await folder();
    const cluster = await start({ dataDir });
    const { password } = new URL(cluster.url());
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
    expect((await findProcess(cluster.pid))?.argv.join(' ')).not.toContain(password);
    await expect(query(cluster.url().replace(password, 'wrong'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('keeps data and password over a restart, and its log in a file', async () => {
    const dataDir = await folder();
    const logFile = join(await folder(), 'postgres.log');
    const first = await start({ dataDir, logFile });
    await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    await first.exited;
    const second = await start({ dataDir, logFile });
    expect(await query(second.url(), 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    expect(await readFile(`${logFile}.1`, 'utf8')).toContain('database system is shut down');
  });
});

describe('a start is refused', () => {
  it('while a server runs on the folder, and that server goes on', async () => {
    const dataDir = await folder();
    const cluster = await start({ dataDir });
    await expect(start({ dataDir })).rejects.toThrow(`in use: PostgreSQL runs as process ${cluster.pid}`);
    expect(await query(cluster.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it("with PostgreSQL's own message when a setting is unknown", async () => {
    const failure = start({ dataDir: await folder(), settings: { no_such_setting: '1' } });
    await expect(failure).rejects.toThrow(/unrecognized configuration parameter "no_such_setting"/);
  });

  it('when the password of an existing database is gone', async () => {
    const dataDir = await folder();
    await (await start({ dataDir })).stop();
    await rm(join(dataDir, 'password'));
    await expect(start({ dataDir })).rejects.toThrow(/password of the database in .* is gone/);
  });
});
