import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, type EmbeddedCluster, startCluster } from '@plat/embedded';
import { keepStop } from './kept-stops';

/**
 * These databases need not survive a crash. The settings write less WAL, and run no autovacuum during `CREATE DATABASE
 * … TEMPLATE`.
 */
const TEST_SETTINGS = {
  max_connections: '300',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

/**
 * Starts a PostgreSQL for the whole jest run of all projects. Its folder, below the system's temporary one, lasts as long
 * as the run.
 *
 * @param binaries default: those that npm installed
 */
export async function startTestCluster(binaries?: Binaries): Promise<EmbeddedCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-test-'));
  const settings = binaries ? TEST_SETTINGS : { ...TEST_SETTINGS, io_method: 'sync' };
  const cluster = await startCluster({ dataDir, durable: false, settings, binaries });
  keepStop(async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return cluster;
}
