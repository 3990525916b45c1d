import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';

const TENANT = '00000000-0000-7000-8000-0000000000a0';
const OPERATIONS = '00000000-0000-7000-8000-0000000000c0';
const USER = '00000000-0000-7000-8000-000000000001';
const ROWS = 20_000;
const PAGE = 51;
const COMMIT = 'a'.repeat(39) + '7';

describe('the filter mergedCommitId of GET /v1/reviews', () => {
  let database: TestDatabase;
  let client: Client;
  let plans: string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      `INSERT INTO identity.tenants (tenant_id, name, kind)
       VALUES ($1, 'company', 'company'), ($2, 'operations', 'operations')`,
      [TENANT, OPERATIONS],
    );
    client = new Client(database.ownerUrl);
    client.on('notice', ({ message }) => plans.push(message ?? ''));
    await client.connect();
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO reviews.reviews (tenant_id, review_id, name, status, source_branch, target_branch, author_user_id,
         last_merged_build_id, merge_sequence, merged_commit_id)
       SELECT '${TENANT}', gen_random_uuid(), 'review ' || n, 'MERGED', 'source', 'main', '${USER}', gen_random_uuid(), n,
              CASE n WHEN 77 THEN '${COMMIT}' ELSE lpad(to_hex(n), 40, '0') END
         FROM generate_series(1, ${ROWS}) n`,
    );
    await client.query('ANALYZE reviews.reviews');
    // auto_explain reports the plan of the statement inside the function, which runs under the service's login.
    await client.query(`LOAD 'auto_explain'`);
    await client.query(`SET session_replication_role = 'origin'; SET auto_explain.log_min_duration = 0;
                        SET auto_explain.log_nested_statements = on; SET client_min_messages = log; SET ROLE plat_reviews`);
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['of one tenant', false],
    ['across tenants', true],
  ])('is read by its index: %s', async (_, across) => {
    const [row] = await database.query<{ proof: string }>(
      'SELECT identity.issue_proof($1, $2, identity.caller_digest(NULL, NULL, NULL)) AS proof',
      [across ? OPERATIONS : TENANT, USER],
    );
    plans = [];
    await client.query('BEGIN');
    const { rows } = await client.query(
      `SELECT f.* FROM tenancy.enter_as($1, $2) AS tenant
         CROSS JOIN LATERAL reviews.page_reviews(tenant, NULL, NULL, NULL, NULL, NULL, NULL, $3, NULL, NULL, ${PAGE}) AS f`,
      [row!.proof, across, COMMIT],
    );
    await client.query('ROLLBACK');
    const plan = plans.find((each) => each.includes('Limit') && each.includes('reviews_')) ?? '';
    expect(plan).toMatch(/Index Scan using reviews_merged_commit on reviews/);
    expect(plan).not.toContain('Seq Scan on reviews');
    expect(rows).toMatchObject([{ merged_commit_id: COMMIT }]);
  });
});
