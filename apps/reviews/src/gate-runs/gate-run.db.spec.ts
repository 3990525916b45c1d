import { randomUUID } from 'node:crypto';
import { applyDirectory, type TenantScope } from '@plat/database';
import {
  createTestDatabase,
  proveScope,
  readScannedIndexes,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { type GateRunSelection, listGateRuns } from './gate-run.queries';

const { tenantId } = TEST_TENANTS.acme;
const COMMIT = 'a'.repeat(40);

let database: TestDatabase;
let reviewId: string;
let own: TenantScope;
let operations: TenantScope;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  own = await proveScope(database, 'alice');
  operations = { ...(await proveScope(database, 'olga')), acrossTenants: true };
  reviewId = randomUUID();
  await database.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, target_branch, source_branch)
     VALUES ($1, $2, $3, 'gated', 'main', 'topic')`,
    [tenantId, reviewId, TEST_USERS.alice.userId],
  );
  await database.query(
    `INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
                                    review_id, review_name, verdict, failing_step, creator_user_id)
     SELECT $1, gen_random_uuid(), 'topic/' || n % 500, 'target/' || n % 500, $2, $2,
            CASE WHEN n % 500 = 0 THEN $3::uuid END, CASE WHEN n % 500 = 0 THEN 'gated' END,
            CASE WHEN n % 500 = 0 THEN 'FAILED' ELSE 'PASSED' END, CASE WHEN n % 500 = 0 THEN 'tests' END,
            $4::uuid
       FROM generate_series(1, 20000) AS n`,
    [tenantId, COMMIT, reviewId, TEST_USERS.alice.userId],
  );
  await database.query('ANALYZE reviews.gate_runs');
}, 30_000);
afterAll(() => database.drop());

describe('the listing of gate runs', () => {
  const filtered: [string, () => Partial<GateRunSelection>, string][] = [
    ['no filter', () => ({}), 'gate_runs_newest'],
    ['targetBranch', () => ({ targetBranch: 'target/7' }), 'gate_runs_target'],
    ['sourceBranch', () => ({ sourceBranch: 'topic/7' }), 'gate_runs_source'],
    ['status', () => ({ verdict: 'FAILED' }), 'gate_runs_verdict'],
    ['reviewId', () => ({ reviewId }), 'gate_runs_review'],
  ];
  const listScannedIndexes = (filters: Partial<GateRunSelection>, scope: TenantScope): Promise<string[]> =>
    readScannedIndexes(database, { loginRole: 'plat_reviews', table: 'reviews.gate_runs' }, (connection) =>
      listGateRuns(connection, scope, { ...filters, rows: 51 }),
    );

  it.each(filtered)('with %s is served by its index', async (_, filters, index) => {
    expect(await listScannedIndexes(filters(), own)).toEqual([`reviews.${index}`]);
  });

  it.each(filtered)('with %s is served by it across tenants too', async (_, filters, index) => {
    expect(await listScannedIndexes(filters(), operations)).toEqual([`reviews.${index}`]);
  });
});

describe('a gate run, by constraint', () => {
  const insert = (columns: Record<string, unknown>): Promise<unknown> => {
    const row = {
      tenant_id: tenantId,
      gate_run_id: randomUUID(),
      source_branch: 'topic',
      target_branch: 'main',
      source_commit: COMMIT,
      merge_commit: COMMIT,
      verdict: 'RUNNING',
      creator_user_id: TEST_USERS.alice.userId,
      ...columns,
    };
    const places = Object.keys(row).map((_, place) => `$${place + 1}`);
    return database.query(
      `INSERT INTO reviews.gate_runs (${Object.keys(row).join()}) VALUES (${places.join()})`,
      Object.values(row),
    );
  };

  it.each([
    ['RUNNING names the merge commit', { merge_commit: null }],
    ['PASSED names the merge commit', { merge_commit: null, verdict: 'PASSED' }],
    ['FAILED names its step', { verdict: 'FAILED' }],
    ['PASSED has no failing step', { verdict: 'PASSED', failing_step: 'tests' }],
    ['a verdict is one of four', { verdict: 'MAYBE' }],
    ['a review comes with its name', { review_name: 'gated' }],
    ['a commit is 40 lowercase hex characters', { source_commit: 'A'.repeat(40) }],
  ])('%s', async (_, columns) => {
    await expect(insert(columns)).rejects.toThrow('violates check constraint');
  });

  it('has a creator', async () => {
    const started = insert({ creator_user_id: null });
    await expect(started).rejects.toMatchObject({ code: '23502', column: 'creator_user_id' });
  });

  it("can be decided by the service's functions, and otherwise not be changed or deleted", async () => {
    const [may] = await database.query(
      `SELECT has_function_privilege('plat_reviews', 'reviews.decide_gate_run(uuid, uuid, text, text, text)', 'EXECUTE') AS decide,
              has_any_column_privilege('plat_reviews', 'reviews.gate_runs', 'UPDATE') AS change,
              has_table_privilege('plat_reviews', 'reviews.gate_runs', 'DELETE') AS remove`,
    );
    expect(may).toEqual({ decide: true, change: false, remove: false });
  });
});
