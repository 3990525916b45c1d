import { startTestCluster } from './start-test-cluster';

/** Starts the PostgreSQL of the run, and hands its owner's URL to the workers in PLAT_TEST_DATABASE_URL. */
export default async function setUp(): Promise<void> {
  process.env.PLAT_TEST_DATABASE_URL = (await startTestCluster()).url();
}
