import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from './binaries';
import { type ClusterOptions, type EmbeddedCluster, startCluster } from './cluster';
import { findProcess } from './running-process';

// Making a database takes a second alone, and several when other suites run beside.
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

  it('is durable and has further settings if the options say so', async () => {
    const cluster = await start({ dataDir: await folder(), durable: true, settings: { work_mem: '9MB' } });
    const rows = await query(
      cluster.url(),
      `SELECT current_setting('fsync') AS fsync, current_setting('work_mem') AS work_mem`,
    );
    expect(rows).toEqual([{ fsync: 'on', work_mem: '9MB' }]);
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

describe('after a kill -9', () => {
  it('of the server alone, the next start recovers what was committed', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir, durable: true });
    await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS n');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start({ dataDir });
    expect(await query(second.url(), 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('a stale postmaster.pid that names a living stranger does not prevent a start', async () => {
    const dataDir = await folder();
    await (await start({ dataDir })).stop();
    const pidFile = join(dataDir, 'data', 'postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${join(dataDir, 'data')}\n`);
    const cluster = await start({ dataDir });
    expect(await query(cluster.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a server without its parent is stopped by the next start', async () => {
    const dataDir = await folder();
    await (await start({ dataDir })).stop();
    const orphan = await startOrphan(dataDir);
    const cluster = await start({ dataDir });
    expect(cluster.pid).not.toBe(orphan);
    expect(await findProcess(orphan)).toBeUndefined();
  });
});

describe('a start is refused', () => {
  it('while a server runs on the folder, and that server goes on', async () => {
    const dataDir = await folder();
    const cluster = await start({ dataDir });
    await expect(start({ dataDir })).rejects.toThrow(`in use: PostgreSQL runs as process ${cluster.pid}`);
    expect(await query(cluster.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['a missing PG_VERSION', 'PG_VERSION', undefined, 'PG_VERSION is missing'],
    ['a garbled PG_VERSION', 'PG_VERSION', 'x\0y', 'PG_VERSION is garbled'],
    ['another version', 'PG_VERSION', '17\n', 'was made by PostgreSQL 17'],
    ['a missing control file', 'global/pg_control', undefined, 'pg_control is missing'],
    ['a short control file', 'global/pg_control', 'short', 'pg_control is cut short'],
    ['a garbled control file', 'global/pg_control', '\0'.repeat(8192), 'did not start'],
  ])('on %s, naming the folder and deleting nothing', async (_, file, content, message) => {
    const dataDir = await folder();
    await (await start({ dataDir })).stop();
    const path = join(dataDir, 'data', file);
    await (content === undefined ? rm(path) : writeFile(path, content));
    const failure = await start({ dataDir }).catch((error: Error) => error.message);
    expect(failure).toContain(message);
    expect(failure).toContain(join(dataDir, 'data'));
    expect((await stat(join(dataDir, 'data', 'base'))).isDirectory()).toBe(true);
  });

  it("with PostgreSQL's own message when a setting is unknown", async () => {
    const failure = start({ dataDir: await folder(), settings: { no_such_setting: '1' } });
    await expect(failure).rejects.toThrow(/unrecognized configuration parameter "no_such_setting"/);
  });

  it('when the wanted port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    cleanUps.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(start({ dataDir: await folder(), port })).rejects.toThrow(/Address already in use/);
  });

  it('when the password of an existing database is gone', async () => {
    const dataDir = await folder();
    await (await start({ dataDir })).stop();
    await rm(join(dataDir, 'password'));
    await expect(start({ dataDir })).rejects.toThrow(/password of the database in .* is gone/);
  });
});

it('an initdb that was killed half-way is begun again', async () => {
  const dataDir = await folder();
  await mkdir(join(dataDir, 'data.unfinished'));
  await writeFile(join(dataDir, 'data.unfinished', 'PG_VERSION'), '18\n');
  const cluster = await start({ dataDir });
  expect(await query(cluster.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

/** A running server whose starter, a shell with its process id in the server's arguments, has ended. */
async function startOrphan(dataDir: string): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, 'data'));
  const data = join(dataDir, 'data');
  const script =
    '"$0" -D "$1" -c listen_addresses= -c unix_socket_directories= -c plat.starter_pid=$$ & echo $!';
  const identity = process.getuid?.() === 0 ? { uid, gid } : {};
  const shell = spawn('sh', ['-c', script, findBinaries().postgres, data], {
    ...identity,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  shell.stdout?.on('data', (chunk) => (said += String(chunk)));
  for await (const chunk of shell.stderr ?? []) if (String(chunk).includes('ready to accept')) break;
  return Number(said);
}
