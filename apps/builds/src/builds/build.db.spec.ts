import { Client } from 'pg';
import { applyDirectory, type TenantScope } from '@plat/database';
import {
  createTestDatabase,
  NEW_BUILD_ID,
  proveScope,
  readScannedIndexes,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { type BuildSelection, listBuilds } from './build.queries';

const { tenantId } = TEST_TENANTS.acme;
const COMMIT = 'a'.repeat(40);
const SEEDED_ENVIRONMENT = '00000000-0000-7000-8000-000000000007';

let database: TestDatabase;
let own: TenantScope;
let operations: TenantScope;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  own = await proveScope(database, 'alice');
  operations = { ...(await proveScope(database, 'olga')), acrossTenants: true };
  await database.query(
    `WITH review AS (
       INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, target_branch, source_branch)
       VALUES ($1, gen_random_uuid(), $2, 'built', 'main', 'topic') RETURNING review_id)
     INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id)
     SELECT $1, ${NEW_BUILD_ID}, review_id, 'built', 'GATE', true, $3 FROM review, generate_series(1, 100)`,
    [tenantId, TEST_USERS.alice.userId, COMMIT],
  );
  // 500 environments in turn; one build in 200 is red.
  await database.query(
    `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                                version)
     SELECT $1, ${NEW_BUILD_ID}, ('00000000-0000-7000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid, 'e',
            'RECORDED', n % 200 <> 0, $2, '1.0.0'
       FROM generate_series(1, 20000) AS n`,
    [tenantId, COMMIT],
  );
  await database.query('ANALYZE builds.builds');
}, 30_000);
afterAll(() => database.drop());

describe('the listing of builds', () => {
  const since = '2020-01-01T00:00:00Z';
  const filtered: [string, Partial<BuildSelection>, string][] = [
    ['no filter', {}, 'builds_newest'],
    ['since and until', { since, until: '2100-01-01T00:00:00Z' }, 'builds_newest'],
    ['environmentId', { environmentId: SEEDED_ENVIRONMENT }, 'builds_environment'],
    ['environmentId and since', { environmentId: SEEDED_ENVIRONMENT, since }, 'builds_environment'],
    ['kind GATE', { kind: 'GATE' }, 'builds_gate'],
    ['kind RECORDED', { kind: 'RECORDED' }, 'builds_newest'],
    ['successful false', { successful: false }, 'builds_failed'],
    ['successful true', { successful: true }, 'builds_newest'],
  ];
  const listScannedIndexes = (filters: Partial<BuildSelection>, scope: TenantScope): Promise<string[]> =>
    readScannedIndexes(database, { loginRole: 'plat_builds', table: 'builds.builds' }, (connection) =>
      listBuilds(connection, scope, { ...filters, rows: 51 }),
    );

  it.each(filtered)('with %s is served by its index', async (_, filters, index) => {
    expect(await listScannedIndexes(filters, own)).toEqual([`builds.${index}`]);
  });

  it.each(filtered)('with %s is served by the same index across tenants', async (_, filters, index) => {
    expect(await listScannedIndexes(filters, operations)).toEqual([`builds.${index}`]);
  });
});

describe('builds are append-only', () => {
  it.each([
    'UPDATE builds.builds SET successful = true',
    'DELETE FROM builds.builds',
    'TRUNCATE builds.builds',
  ])('by grant: %s is denied to the service', async (statement) => {
    const client = new Client(database.url('plat_builds'));
    await client.connect();
    try {
      await client.query('SELECT tenancy.enter_as($1, false)', [own.proof]);
      await expect(client.query(statement)).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });
});

describe('builds.report_environment_build', () => {
  it("records nothing for another tenant's environment, whatever tenant a statement claims to be", async () => {
    const client = new Client(database.url('plat_builds'));
    await client.connect();
    const report = (tenant: string): Promise<unknown> =>
      client.query(
        `SELECT FROM tenancy.enter_as($1, false) AS own
           CROSS JOIN LATERAL builds.report_environment_build($2, $3, ${NEW_BUILD_ID}, true, $4, '1.0.0', NULL)`,
        [own.proof, tenant, TEST_ENVIRONMENTS['globex/dev'], COMMIT],
      );
    try {
      await expect(report(tenantId)).rejects.toThrow('NOT_FOUND');
      await expect(report(TEST_TENANTS.globex.tenantId)).rejects.toThrow('NOT_FOUND');
    } finally {
      await client.end();
    }
  });
});
