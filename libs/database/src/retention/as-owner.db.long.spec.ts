import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import {
  idAt,
  makeOldMonths,
  monthName,
  monthsAgo,
  TEST_TENANTS,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { migrate } from '../migrations/migrate';
import { withOwner } from '../tenants/tenant-session';
import { pruneRows } from './prune-rows';
import { pruneTrail } from './prune-trail';
import { withoutOthers } from './retention';

/** Row-level security is forced on the owner too, who sees no row without entering a tenant. */
describe('pruning a database whose owner is no superuser', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let superuser: Client;
  let ownerUrl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-owner-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const first = new Client(cluster.url());
    await first.connect();
    await first.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'test'`);
    await first.query('CREATE DATABASE plat OWNER owner');
    await first.end();
    ownerUrl = Object.assign(new URL(cluster.url('plat')), { username: 'owner', password: 'test' }).href;
    await migrate(ownerUrl);
    await applyDirectory(ownerUrl, testDirectory('https://id.example'));
    superuser = new Client(cluster.url('plat'));
    await superuser.connect();
  }, 90_000);
  afterAll(async () => {
    await superuser.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it('takes the rows of every tenant, by its command and without any other right', async () => {
    const query = async <Row extends object>(sql: string, args?: unknown[]) =>
      (await superuser.query<Row>(sql, args)).rows;
    await makeOldMonths({ query }, 3);
    await writeOldTrail({ query }, 'acme', { months: 3, rows: 7 });
    await writeOldTrail({ query }, 'globex', { months: 3, rows: 5 });
    for (const tenant of ['acme', 'globex'] as const) {
      await query(
        `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
           version, created_at)
         VALUES ($1, $2, $1, 'dev', 'RECORDED', true, repeat('a', 40), '1.0.0', $3)`,
        [TEST_TENANTS[tenant].tenantId, idAt(monthsAgo(3)), monthsAgo(3)],
      );
    }
    const before = monthsAgo(1).toISOString();
    const exported = join(folder, 'exports');
    await mkdir(exported);
    await withOwner(ownerUrl, (client) =>
      withoutOthers(client, async () => {
        await pruneTrail(client, { before, folder: exported, onStep: () => undefined });
        expect(await pruneRows(client, 'builds.builds', { before, dry: false })).toMatchObject({
          removed: 2,
        });
        expect(await pruneRows(client, 'reviews.gate_runs', { before, dry: false })).toMatchObject({
          removed: 0,
        });
      }),
    );
    expect(await query('SELECT FROM audit.audit_events')).toEqual([]);
    expect(await query('SELECT rows FROM audit.pruned_partitions WHERE dropped_at IS NOT NULL')).toEqual([
      { rows: '12' },
    ]);
    expect(await readdir(exported)).toContain(`audit_events_${monthName(monthsAgo(3))}.ndjson.gz`);
  }, 60_000);
});
