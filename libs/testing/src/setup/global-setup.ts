import { rm } from 'node:fs/promises';
import { startCommandServer } from './commands/start-command-server';
import { isolateEnvironment } from './isolate-environment';
import { keepStop } from './kept-stops';
import { startTestCluster } from './start-test-cluster';
import { verifierWorkerFile } from './verifier-worker';

/**
 * Isolates the run from the person's settings, builds the verifier's worker, and starts PostgreSQL and the command server.
 * The jest workers find these in PLAT_TEST_VERIFIER_WORKER, PLAT_TEST_DATABASE_URL (the URL of the owner) and
 * PLAT_TEST_COMMAND_SERVER.
 */
export default async function setUp(): Promise<void> {
  const home = isolateEnvironment();
  keepStop(() => rm(home, { recursive: true, force: true }));
  // One after the other: each ends the builder that they share.
  const programs = async () => [await startCommandServer(), await verifierWorkerFile()] as const;
  const [cluster, [commands, worker]] = await Promise.all([startTestCluster(), programs()]);
  process.env.PLAT_TEST_DATABASE_URL = cluster.url();
  process.env.PLAT_TEST_COMMAND_SERVER = commands;
  process.env.PLAT_TEST_VERIFIER_WORKER = worker;
}
