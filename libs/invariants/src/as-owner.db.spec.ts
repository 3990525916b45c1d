import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applyDirectory, migrate } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { TEST_TENANTS, TEST_USERS, testDirectory } from '@plat/testing';
import { examineDatabase } from './violations';

describe('the owner of a database, who may create roles and is no superuser', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let superuser: Client;
  let ownerUrl: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-owner-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const first = new Client({ connectionString: cluster.url() });
    await first.connect();
    await first.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'test'`);
    await first.query('CREATE DATABASE plat OWNER owner');
    await first.end();
    ownerUrl = Object.assign(new URL(cluster.url('plat')), { username: 'owner', password: 'test' }).href;
    superuser = new Client({ connectionString: cluster.url('plat') });
    await superuser.connect();
  }, 60_000);
  afterAll(async () => {
    await superuser.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it('migrates, applies a directory, and sees the rows of every tenant that break a promise', async () => {
    await migrate(ownerUrl);
    await applyDirectory(ownerUrl, testDirectory('https://issuer.example'));
    expect(await examineDatabase(ownerUrl)).toEqual([]);

    await superuser.query('SET session_replication_role = replica');
    await superuser.query(
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, target_branch, source_branch, status)
       VALUES ($1, gen_random_uuid(), $2, 'never verified', 'main', 'topic', 'MERGED')`,
      [TEST_TENANTS.globex.tenantId, TEST_USERS.mallory.userId],
    );
    const broken = await examineDatabase(ownerUrl);
    expect(broken.map(({ promise }) => promise)).toContain(
      'MERGED has a verification record with the proof of the merge, and no other status has one',
    );
  }, 60_000);
});
