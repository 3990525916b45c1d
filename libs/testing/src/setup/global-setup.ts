import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- jest loads this file outside of any project, without moduleNameMapper.
import { startCluster } from '../../../embedded/src/index';
import { keepStop } from './running-cluster';

/** Nobody reads these databases after a crash: less WAL, and no autovacuum beside `CREATE DATABASE … TEMPLATE`. */
const TEST_SETTINGS = {
  max_connections: '300',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  autovacuum: 'off',
};

/**
 * Starts one PostgreSQL for the whole jest run, however many projects it spans, and hands its owner's
 * URL to the workers in PLAT_TEST_DATABASE_URL. The folder below the system's temporary one lasts as
 * long as the run.
 */
export default async function startTestCluster(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-test-'));
  const cluster = await startCluster({ dataDir, durable: false, settings: TEST_SETTINGS });
  process.env.PLAT_TEST_DATABASE_URL = cluster.url();
  keepStop(async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}
