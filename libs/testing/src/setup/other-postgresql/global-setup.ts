import type { Binaries } from '@plat/embedded';
import { peer } from '../../peers/peer';
import { startTestCluster } from '../start-test-cluster';
import type { OtherVersion } from './version';

/** The programs of each version. Debian brings the oldest. */
const BINARIES: Record<OtherVersion, () => Binaries> = {
  '15': () => ({ initdb: peer('initdb'), postgres: peer('postgres'), major: '15' }),
  '16': () => ({ initdb: peer('initdb-16'), postgres: peer('postgres-16'), major: '16' }),
  '17': () => ({ initdb: peer('initdb-17'), postgres: peer('postgres-17'), major: '17' }),
};

/**
 * Starts each chosen PostgreSQL, in addition to the one that the other projects use. jest calls the set-up of several projects
 * once if it is the same file.
 */
export default async function setUp(): Promise<void> {
  const versions = (process.env.PLAT_POSTGRESQL_VERSIONS ?? '15').split(',') as OtherVersion[];
  for (const version of versions) {
    const cluster = await startTestCluster(BINARIES[version]());
    process.env[`PLAT_TEST_DATABASE_URL_OF_${version}`] = cluster.url();
  }
}
