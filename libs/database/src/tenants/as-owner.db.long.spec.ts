import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import {
  type CellDatabase,
  fillTenant,
  startCell,
  TEST_TENANTS,
  type TestCell,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { migrate } from '../migrations/migrate';
import { deleteTenant } from './delete-tenant';
import { finishMove, moveTenant } from './move-tenant';
import { withOwner } from './tenant-session';

/** The roles of docs/operations.md: none of the old cell's is a superuser. */
describe('a tenant of a database whose owner is no superuser', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let target: TestCell;
  let two: CellDatabase;
  let ownerUrl: string;
  let replicationUrl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-owner-'));
    const settings = { wal_level: 'logical' };
    [cluster, target] = await Promise.all([
      startCluster({ dataDir: join(folder, 'postgres'), durable: false, settings }),
      startCell(),
    ]);
    two = await target.create();
    await asSuperuser(cluster.url(), [
      `CREATE ROLE owner LOGIN CREATEROLE REPLICATION PASSWORD 'test'`,
      `CREATE ROLE mover LOGIN REPLICATION BYPASSRLS IN ROLE pg_read_all_data PASSWORD 'test'`,
      'CREATE DATABASE plat OWNER owner',
    ]);
    const as = (username: string) =>
      Object.assign(new URL(cluster.url('plat')), { username, password: 'test' }).href;
    [ownerUrl, replicationUrl] = [as('owner'), as('mover')];
    await migrate(ownerUrl);
    await applyDirectory(ownerUrl, testDirectory('https://id.example'));
    for (const tenant of ['acme', 'globex'] as const) {
      await fillTenant({ ownerUrl: cluster.url('plat') }, tenant);
    }
    await asSuperuser(cluster.url('plat'), ['DELETE FROM environments.environments']);
  }, 90_000);
  afterAll(async () => {
    await two.drop();
    await Promise.all([cluster.stop(), target.stop()]);
    await rm(folder, { recursive: true });
  }, 30_000);

  const reviewsOf = async (url: string, tenant: 'acme' | 'globex'): Promise<number> => {
    const [row] = await asSuperuser(url, [
      `SELECT count(*)::int AS rows FROM reviews.reviews WHERE tenant_id = '${TEST_TENANTS[tenant].tenantId}'`,
    ]);
    return (row as { rows: number }).rows;
  };

  it('is moved, and deleted from the old cell', async () => {
    await withOwner(ownerUrl, (from) =>
      withOwner(two.ownerUrl, async (to) => {
        const cells = { from, to, replicationUrl };
        await moveTenant(cells, 'globex', { apiUrl: 'https://two.example' });
        await finishMove(cells, 'globex');
      }),
    );
    expect(await reviewsOf(two.ownerUrl, 'globex')).toBe(1);
    expect(await reviewsOf(cluster.url('plat'), 'globex')).toBe(0);
    expect(await reviewsOf(cluster.url('plat'), 'acme')).toBe(1);
  }, 60_000);

  it('is deleted', async () => {
    await withOwner(ownerUrl, (client) => deleteTenant(client, 'acme', {}));
    expect(await reviewsOf(cluster.url('plat'), 'acme')).toBe(0);
  }, 60_000);
});

/** Runs statements as the superuser. @returns the rows of the last one */
async function asSuperuser(url: string, statements: string[]): Promise<object[]> {
  const client = new Client(url);
  await client.connect();
  try {
    let rows: object[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
