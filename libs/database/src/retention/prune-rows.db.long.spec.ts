import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  createTestDatabase,
  cutAfter,
  idAt,
  monthsAgo,
  proveScope,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { type PrunedRows, type PrunedTable, pruneRows } from './prune-rows';

const ACME = TEST_TENANTS.acme.tenantId;
const COMMIT = 'c'.repeat(40);
const OLD = monthsAgo(5);
const before = monthsAgo(2).toISOString();

describe('pruning builds and gate runs', () => {
  let database: TestDatabase;
  const clients: Client[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await database.drop();
  });

  async function connect(url = database.ownerUrl): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  }
  const prune = (
    table: PrunedTable = 'builds.builds',
    { dry = false, change = (client: Client) => client } = {},
  ): Promise<PrunedRows> =>
    withOwner(database.ownerUrl, async (client) => {
      if (dry) await client.query('SET default_transaction_read_only = on');
      return pruneRows(change(client), table, { before, dry });
    });

  async function build(
    of: { review?: string; tenant?: string; at?: Date; id?: string } = {},
  ): Promise<string> {
    const { tenant = ACME, at = OLD, id = idAt(at) } = of;
    await database.force(
      `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, environment_id, environment_name, kind,
         successful, commit_id, version, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'RECORDED', true, $7, '1.0.0', $8)`,
      of.review === undefined
        ? [tenant, id, null, null, randomUUID(), 'dev', COMMIT, at]
        : [tenant, id, of.review, 'one', null, null, COMMIT, at],
    );
    return id;
  }
  const builds = async (): Promise<string[]> =>
    (await database.query<{ id: string }>('SELECT build_id AS id FROM builds.builds ORDER BY 1')).map(
      ({ id }) => id,
    );
  const release = (of: { build?: string; status?: string } = {}): Promise<unknown> =>
    database.force(
      `INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id, status, version, build_id, started_at)
       VALUES ($1, $2, 'main', $3, $4, $5, $6, now())`,
      [ACME, RELEASE, COMMIT, of.status ?? 'released', of.status ? null : '1.0.0', of.build],
    );
  const RELEASE = randomUUID();

  it('deletes thousands, in transactions that each end, and may be killed between them', async () => {
    await database.force(
      `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
         version, created_at)
       SELECT $1, tenancy.first_id($2::timestamptz + make_interval(secs => n)), $1, 'dev', 'RECORDED', true, $3, '1.0.0',
              $2::timestamptz + make_interval(secs => n) FROM generate_series(1, 3500) AS n`,
      [ACME, OLD, COMMIT],
    );
    const counts: number[] = [];
    for (let left = 0; ; left += 4) {
      const pruned = await prune('builds.builds', { change: (client) => cutAfter(client, { left }) }).catch(
        (error: unknown) => error,
      );
      counts.push((await builds()).length);
      if (!(pruned instanceof Error)) break;
      expect(pruned.message).toBe('cut here');
    }
    expect(counts.at(-1)).toBe(0);
    // The month is empty, and so is its file.
    const [{ bytes }] = (await database.query<{ bytes: string }>(
      `SELECT pg_relation_size('builds.builds_early') AS bytes`,
    )) as [{ bytes: string }];
    expect(bytes).toBe('0');
    expect(new Set(counts).size).toBeGreaterThan(3);
    for (const count of counts) expect(count % 500).toBe(0);
  }, 60_000);

  describe('next to someone who names a build at the same time', () => {
    /** A session of the releases' owner that has finished a release with a build, and not yet committed. */
    async function finishUncommitted(named: string): Promise<Client> {
      const client = await connect();
      const { proof } = await proveScope(database, 'alice');
      await client.query('BEGIN');
      await client.query(`SELECT set_config('plat.proof', $1, true)`, [proof]);
      await client.query('SET LOCAL ROLE plat_releases_owner');
      await client.query(`SELECT releases.finish($1, $2, 1, '1.0.0', $3, NULL)`, [ACME, RELEASE, named]);
      return client;
    }

    it('keeps the build, whether or not the other commits in time', async () => {
      const [named, other] = [await build(), await build()];
      await release({ status: 'running' });
      const writer = await finishUncommitted(named);
      expect(await prune()).toMatchObject({ removed: 1 });
      expect(await builds()).toEqual([named]);
      expect(other).not.toBe(named);
      await writer.query('COMMIT');
      expect(await prune()).toMatchObject({ removed: 0, kept: 1 });
    });

    it('makes the other wait for what it has locked, and then refuses the name', async () => {
      const named = await build();
      await release({ status: 'running' });
      const { proof } = await proveScope(database, 'alice');
      const pruner = await connect();
      await pruner.query('BEGIN');
      await pruner.query(`SELECT set_config('plat.proof', $1, true)`, [proof]);
      await pruner.query('SET LOCAL ROLE plat_builds_owner');
      await pruner.query('SELECT * FROM builds.prune($1, $2, NULL, 10, false)', [ACME, before]);
      const late = finishUncommitted(named).catch((error: unknown) => error);
      const waits = async () =>
        (
          await database.query(
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%finish%'`,
          )
        ).length;
      while ((await waits()) === 0) await new Promise((resolve) => setImmediate(resolve));
      await pruner.query('COMMIT');
      expect(await late).toMatchObject({ code: '23503' });
      expect(await database.query('SELECT status FROM releases.releases')).toEqual([{ status: 'running' }]);
    });

    it('never leaves a name without its build, with many writers', async () => {
      const all = await Promise.all(Array.from({ length: 60 }, () => build()));
      const writers = all.map(async (named, place) => {
        if (place % 2) return;
        await database
          .query(
            `INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id, status, version, build_id)
             VALUES ($1, gen_random_uuid(), 'main', $2, 'released', '1.0.0', $3)`,
            [ACME, String(place).padStart(40, '0'), named],
          )
          .catch((error: { code?: string }) => expect(error.code).toBe('23503'));
      });
      await Promise.all([...writers, prune()]);
      const orphans = await database.query(
        `SELECT FROM releases.releases r WHERE NOT EXISTS (SELECT FROM builds.builds b WHERE b.build_id = r.build_id)`,
      );
      expect(orphans).toEqual([]);
      const named = await database.query('SELECT FROM releases.releases');
      expect(await builds()).toHaveLength(named.length);
    });
  });
});
