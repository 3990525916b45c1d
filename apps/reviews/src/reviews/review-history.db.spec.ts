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
import { pageHistory } from './review.queries';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  await database.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, target_branch, source_branch)
     SELECT $1, gen_random_uuid(), $2, 'review ' || n, 'main', 'topic/' || n FROM generate_series(1, 200) AS n`,
    [TEST_TENANTS.acme.tenantId, TEST_USERS.alice.userId],
  );
  // Without triggers, one of which numbers each move by a look at the ones before it.
  await database.force(
    `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, move, cause, actor_user_id, nth)
     SELECT tenant_id, target_branch, row_number() OVER (), review_id, 'requeue', 'REQUEUED', author_user_id,
            row_number() OVER ()
       FROM reviews.reviews, generate_series(1, 100)`,
  );
  await database.query('ANALYZE reviews.queue_moves');
}, 30_000);
afterAll(() => database.drop());

it.each([
  ['the first page', null],
  ['a later page', '9000'],
])('the history of a review is read by its index, however long the log is: %s', async (_, before) => {
  const scope = await proveScope(database, 'alice');
  const [review] = await database.query<{ id: string }>(
    'SELECT review_id AS id FROM reviews.reviews LIMIT 1',
  );
  const used = await readScannedIndexes(
    database,
    { loginRole: 'plat_reviews', table: 'reviews.queue_moves' },
    (connection) => pageHistory(connection, scope, { reviewId: review!.id, before, rows: 51 }),
  );
  expect(used).toEqual(['reviews.queue_moves_of_review']);
});
