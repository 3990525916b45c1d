import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type ClusterOptions, type EmbeddedCluster, startCluster } from './cluster';

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
  it('is durable and has further settings if the options say so', async () => {
    const cluster = await start({ dataDir: await folder(), durable: true, settings: { work_mem: '9MB' } });
    const rows = await query(
      cluster.url(),
      `SELECT current_setting('fsync') AS fsync, current_setting('work_mem') AS work_mem`,
    );
    expect(rows).toEqual([{ fsync: 'on', work_mem: '9MB' }]);
  });
});

describe('a start is refused', () => {
  it('when the wanted port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    cleanUps.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(start({ dataDir: await folder(), port })).rejects.toThrow(/Address already in use/);
  });
});
