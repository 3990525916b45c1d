import { peer } from '../../peers/peer';
import { startTestCluster } from '../start-test-cluster';

/** Starts the oldest supported PostgreSQL, in addition to the one that the other projects use. */
export default async function setUp(): Promise<void> {
  const binaries = { initdb: peer('initdb'), postgres: peer('postgres'), major: '15' };
  process.env.PLAT_TEST_OLDEST_DATABASE_URL = (await startTestCluster(binaries)).url();
}
