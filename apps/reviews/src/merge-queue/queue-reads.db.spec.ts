import { applyDirectory } from '@plat/database';
import {
  createTestDatabase,
  proveScope,
  readScannedIndexes,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { readQueueStatistics, readQueueStatus } from './merge-queue.queries';

const REPOSITORY = 'https://git.example/app';
const queue = { targetBranch: 'main', repository: REPOSITORY };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  const { tenantId } = TEST_TENANTS.acme;
  const { userId } = TEST_USERS.alice;
  // Five thousand merges, in one session that fires no trigger; the last review is at the head.
  await database.query(
    `SET session_replication_role = replica;
     CREATE TEMP TABLE seeded AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, 5000) n;
     INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch,
       status, ticket, last_ready_build_id)
     SELECT '${tenantId}', id, '${userId}', 'review ' || n, '${REPOSITORY}', 'main', 'topic/' || n,
            CASE WHEN n = 5000 THEN 'READY' ELSE 'MERGED' END, CASE WHEN n = 5000 THEN n END, id FROM seeded;
     INSERT INTO reviews.queues (tenant_id, target_branch, version, last_ticket, last_merge)
     VALUES ('${tenantId}', 'main', 14998, 5000, 4999);
     INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket, cause,
       actor_user_id, build_id, nth, created_at)
     SELECT '${tenantId}', 'main', 3 * (n - 1) + m.place, id, '${REPOSITORY}', m.move, CASE WHEN m.place < 3 THEN n END,
            m.cause, '${userId}', CASE WHEN m.place <> 2 THEN id END, n,
            now() - (5000 - n) * interval '1 minute' + m.place * interval '1 second'
       FROM seeded, (VALUES (1, 'ready', 'BUILD_SUCCEEDED'), (2, 'promote', 'PROMOTED'), (3, 'merge', 'MERGED'))
            AS m (place, move, cause)
      WHERE n < 5000 OR m.place = 1;
     INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
       review_id, review_name, verdict, failing_step, creator_user_id)
     SELECT '${tenantId}', gen_random_uuid(), 'topic', 'main', lpad(to_hex(n), 40, '0'), lpad(to_hex(n), 40, '0'), id,
            'review', g.verdict, g.step, '${userId}'
       FROM seeded, (VALUES ('FAILED', 'unit tests'), ('PASSED', NULL)) AS g (verdict, step);
     DROP TABLE seeded; RESET session_replication_role`,
  );
  await database.query('ANALYZE reviews.queue_moves');
  await database.query('ANALYZE reviews.gate_runs');
  await database.query('ANALYZE reviews.reviews');
}, 60_000);
afterAll(() => database.drop());

/** How many rows of a table were read one after the other, without an index, so far. */
async function rowsReadInSequence(table: string): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    'SELECT seq_tup_read::int AS rows FROM pg_stat_user_tables WHERE relid = $1::regclass',
    [table],
  );
  return row!.rows;
}

it.each([
  ['status', 'reviews.queue_moves', ['queue_moves_of_cause', 'queue_moves_of_review', 'queue_moves_pkey']],
  [
    'statistics',
    'reviews.queue_moves',
    ['queue_moves_of_cause', 'queue_moves_of_review', 'queue_moves_pkey'],
  ],
  [
    'statistics',
    'reviews.gate_runs',
    ['gate_runs_ended_at_step', 'gate_runs_passed_merge', 'gate_runs_passed_source'],
  ],
])('the %s of a queue reads %s by indexes, however much there is', async (what, table, indexes) => {
  const scope = await proveScope(database, 'alice');
  const before = await rowsReadInSequence(table);
  const used = await readScannedIndexes(database, { loginRole: 'plat_reviews', table }, (connection) =>
    what === 'status'
      ? readQueueStatus(connection, scope, { queue, afterTicket: '0', rows: 51 })
      : readQueueStatistics(connection, scope, { queue, since: undefined, until: undefined }),
  );
  expect(
    used.map((index) => index.replace('reviews.', '')).filter((index) => !indexes.includes(index)),
  ).toEqual([]);
  expect(used).not.toEqual([]);
  expect(await rowsReadInSequence(table)).toBe(before);
});

it('a move of a cause that the queue has never had is looked for in one place of the index', async () => {
  await database.query(`SELECT pg_stat_reset_single_table_counters('reviews.queue_moves_pkey'::regclass)`);
  const scope = await proveScope(database, 'alice');
  // The reviews of the seed were never promoted by an override: a statement that reads the log backwards reads all of it.
  await readScannedIndexes(
    database,
    { loginRole: 'plat_reviews', table: 'reviews.queue_moves' },
    (connection) => readQueueStatus(connection, scope, { queue, afterTicket: '0', rows: 51 }),
  );
  const [index] = await database.query<{ rows: number }>(
    `SELECT idx_tup_read::int AS rows FROM pg_stat_user_indexes WHERE indexrelid = 'reviews.queue_moves_pkey'::regclass`,
  );
  expect(index!.rows).toBeLessThan(1000);
});
