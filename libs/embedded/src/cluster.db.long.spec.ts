import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { spawn } from '@plat/testing';
import { findBinaries } from './binaries';
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
