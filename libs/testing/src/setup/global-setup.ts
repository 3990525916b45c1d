import { rm } from 'node:fs/promises';
import { startCommandServer } from './commands/start-command-server';
import { isolateEnvironment } from './isolate-environment';
import { keepStop } from './kept-stops';
import { startTestCluster } from './start-test-cluster';

/**
 * Isolates the run from the person's settings, and starts its PostgreSQL and its command server. The workers find them in PLAT_TEST_DATABASE_URL (the URL of
 * the owner) and PLAT_TEST_COMMAND_SERVER.
 */
export default async function setUp(): Promise<void> {
  const home = isolateEnvironment();
  keepStop(() => rm(home, { recursive: true, force: true }));
  const [cluster, commands] = await Promise.all([startTestCluster(), startCommandServer()]);
  process.env.PLAT_TEST_DATABASE_URL = cluster.url();
  process.env.PLAT_TEST_COMMAND_SERVER = commands;
}
