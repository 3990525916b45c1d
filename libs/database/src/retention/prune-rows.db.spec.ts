import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import {
  createTestDatabase,
  idAt,
  monthsAgo,
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
