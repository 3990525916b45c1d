import { startCommandServer } from './commands/start-command-server';
import { startTestCluster } from './start-test-cluster';

/**
 * Starts the PostgreSQL and the command server of the run. The workers find them in PLAT_TEST_DATABASE_URL (the URL of
 * the owner) and PLAT_TEST_COMMAND_SERVER.
 */
export default async function setUp(): Promise<void> {
  const [cluster, commands] = await Promise.all([startTestCluster(), startCommandServer()]);
  process.env.PLAT_TEST_DATABASE_URL = cluster.url();
  process.env.PLAT_TEST_COMMAND_SERVER = commands;
}
