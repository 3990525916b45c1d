import { startPooler } from '../../peers/pooler';
import { keepStop } from '../kept-stops';
import { startTestCluster } from '../start-test-cluster';

/** Starts a PostgreSQL, and a pooler before it. */
export default async function setUp(): Promise<void> {
  const cluster = await startTestCluster();
  const pooler = await startPooler(cluster.port);
  keepStop(() => pooler.stop());
  process.env.PLAT_TEST_POOLED_DATABASE_URL = cluster.url();
  process.env.PLAT_TEST_POOLED_PORT = String(pooler.port);
}
