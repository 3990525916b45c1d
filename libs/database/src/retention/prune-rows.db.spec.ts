import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  createTestDatabase,
  cutAfter,
  idAt,
  monthsAgo,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { type PrunedRows, type PrunedTable, pruneRows } from './prune-rows';

const ACME = TEST_TENANTS.acme.tenantId;
const GLOBEX = TEST_TENANTS.globex.tenantId;
const ALICE = TEST_USERS.alice.userId;
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

  /** A review that is in a state as if it had come there long ago. */
  async function review(status: string, columns: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const more = Object.keys(columns);
    await database.force(
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch, status
         ${more.map((column) => `, ${column}`).join('')})
       VALUES ($1, $2, $3, $2::uuid::text, $2::uuid::text, 'main', $4 ${more.map((_, place) => `, $${place + 5}`).join('')})`,
      [ACME, id, ALICE, status, ...Object.values(columns)],
    );
    return id;
  }
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
  const move = (of: { review: string; build: string }) =>
    database.force(
      `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, move, build_id, cause, actor_user_id, nth)
       VALUES ($1, 'main', 1, $2, 'ready', $3, 'BUILD_SUCCEEDED', $4, 1)`,
      [ACME, of.review, of.build, ALICE],
    );
  const release = (of: { build?: string; status?: string } = {}): Promise<unknown> =>
    database.force(
      `INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id, status, version, build_id, started_at)
       VALUES ($1, $2, 'main', $3, $4, $5, $6, now())`,
      [ACME, RELEASE, COMMIT, of.status ?? 'released', of.status ? null : '1.0.0', of.build],
    );
  const RELEASE = randomUUID();

  it('deletes the old builds of all tenants that nothing names, and no other', async () => {
    const [closed, merged, open] = [await review('CLOSED'), randomUUID(), await review('OPEN')];
    const gone = [
      await build(),
      await build({ tenant: GLOBEX }),
      await build({ review: closed }),
      await build({ review: merged }),
    ];
    const kept = {
      'of a review that has not ended': await build({ review: open }),
      'that a review names': await build({ review: merged }),
      'that a move names': await build({ review: closed }),
      'that a release names': await build(),
      'that is younger': await build({ at: monthsAgo(1) }),
      'whose id is older than it': await build({ at: new Date(), id: idAt(OLD) }),
    };
    await database.force(
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch, status,
         last_merged_build_id, merge_sequence, merged_commit_id)
       VALUES ($1, $2, $3, 'two', 'two', 'main', 'MERGED', $4, 1, $5)`,
      [ACME, merged, ALICE, kept['that a review names'], COMMIT],
    );
    await move({ review: closed, build: kept['that a move names'] });
    await release({ build: kept['that a release names'] });

    const was = await database.query('SELECT b::text FROM builds.builds b ORDER BY 1');
    const counted = await prune('builds.builds', { dry: true });
    expect(counted).toEqual({ removed: 4, kept: 4, oldest: OLD.toISOString(), newest: OLD.toISOString() });
    expect(await database.query('SELECT b::text FROM builds.builds b ORDER BY 1')).toEqual(was);

    expect(await prune()).toEqual(counted);
    expect(await builds()).toEqual(Object.values(kept).sort());
    expect(gone).toHaveLength(4);
    expect(await prune()).toMatchObject({ removed: 0, kept: 4 });
  });

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
    async function naming(named: string): Promise<Client> {
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
      const writer = await naming(named);
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
      const late = naming(named).catch((error: unknown) => error);
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

  it.each<[string, (named: { review: string; build: string }) => Promise<unknown>]>([
    [
      'a review',
      (named) => database.force('UPDATE reviews.reviews SET last_failed_build_id = $1', [named.build]),
    ],
    ['a move of a queue', move],
    ['a release', release],
  ])('is refused by a foreign key if the function overlooked %s', async (_, name) => {
    const closed = await review('CLOSED');
    await name({ review: closed, build: await build({ review: closed }) });
    await expect(database.query('DELETE FROM builds.builds')).rejects.toMatchObject({ code: '23503' });
  });

  it('deletes old gate runs that are decided and whose review has ended, and no other', async () => {
    const [closed, open] = [await review('CLOSED'), await review('OPEN')];
    const run = async (of: { verdict?: string; review?: string; at?: Date } = {}): Promise<string> => {
      const id = randomUUID();
      await database.force(
        `INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
           review_id, review_name, verdict, created_at, updated_at, creator_user_id)
         VALUES ($1, $2, 'topic', 'main', $3, $3, $4, $5, $6, $7, $7, $8)`,
        [ACME, id, COMMIT, of.review, of.review && 'one', of.verdict ?? 'PASSED', of.at ?? OLD, ALICE],
      );
      return id;
    };
    await run();
    await run({ review: closed });
    const kept = [
      await run({ verdict: 'RUNNING' }),
      await run({ review: open }),
      await run({ at: monthsAgo(1) }),
    ];
    const counted = await prune('reviews.gate_runs', { dry: true });
    expect(counted).toMatchObject({ removed: 2, kept: 2 });
    expect(await prune('reviews.gate_runs')).toEqual(counted);
    const left = await database.query<{ id: string }>(
      'SELECT gate_run_id AS id FROM reviews.gate_runs ORDER BY 1',
    );
    expect(left.map(({ id }) => id)).toEqual(kept.sort());
  });

  it.each(['builds.prune', 'reviews.prune_gate_runs'])(
    'refuses to look at the last day: %s',
    async (prune) => {
      await expect(database.query(`SELECT ${prune}($1, now(), NULL, 1, true)`, [ACME])).rejects.toThrow(
        'are kept for a day at least',
      );
    },
  );
});
