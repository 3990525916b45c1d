import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';

const [globex, ops] = [TEST_TENANTS.globex.tenantId, TEST_TENANTS.ops.tenantId];
const REFUSED = { code: '42501' };

let database: TestDatabase;
/** A session with the login of the platform service and nothing else. */
let client: Client;
let environment: string;
let lease: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  client = new Client({ connectionString: database.url('plat_platform') });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => {
  environment = randomUUID();
  lease = randomUUID();
});
afterEach(() =>
  database.query('DELETE FROM environments.environments WHERE environment_id = $1', [environment]),
);

const query = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows;

/** Runs work in one transaction that has entered by a proof. */
async function enterAndRun<T>(proof: string, work: () => Promise<T>): Promise<T> {
  await query('BEGIN');
  await query('SELECT tenancy.enter_as($1, true)', [proof]);
  return work().finally(() => query('COMMIT'));
}

/** Takes up the deletion of an environment that a user of a tenant asks for. @returns the proof of the job */
async function takeUp(tenant: string, user: 'mallory' | 'olga'): Promise<string> {
  await enterAndRun((await proveScope(database, user)).proof, async () => {
    await query(`SELECT environments.create_environment($1, $2, 'doomed', 'runtime', NULL)`, [
      tenant,
      environment,
    ]);
    await query('SELECT environments.request_deletion($1, $2, NULL)', [tenant, environment]);
  });
  const [job] = await query('SELECT proof FROM environments.claim_deletion_job($1, 60)', [lease]);
  return String(job!.proof);
}

describe('whoever has the login plat_platform and takes up a deletion of another tenant', () => {
  it.each([
    `SELECT identity.create_user($1, gen_random_uuid(), 'intruder', NULL, NULL, '{}')`,
    `SELECT identity.create_role($1, gen_random_uuid(), 'Intruder', '[]')`,
    `SELECT identity.grant_role($1, gen_random_uuid(), gen_random_uuid())`,
    `SELECT identity.revoke_role($1, gen_random_uuid(), gen_random_uuid())`,
    `SELECT identity.set_user_disabled($1, gen_random_uuid(), true)`,
    `SELECT identity.set_user_subject($1, gen_random_uuid(), NULL, 'intruder', true)`,
    `SELECT * FROM identity.page_tenant_users($1, NULL, NULL, 10)`,
    `SELECT * FROM identity.page_roles($1, NULL, NULL, 10)`,
    `SELECT * FROM identity.list_user_roles($1, gen_random_uuid())`,
    `SELECT * FROM environments.page_environments($1, NULL, NULL, 10)`,
    `SELECT environments.create_environment($1, gen_random_uuid(), 'intruder', 'runtime', NULL)`,
    `SELECT environments.request_deletion($1, gen_random_uuid(), NULL)`,
  ])('is refused what only a caller of that tenant may do: %s', async (statement) => {
    const proof = await takeUp(globex, 'mallory');
    await enterAndRun(proof, () => expect(query(statement, [globex])).rejects.toMatchObject(REFUSED));
  });

  it('gives no public name to an environment that is not being deleted', async () => {
    const proof = await takeUp(globex, 'mallory');
    await database.query(
      `UPDATE environments.environments SET status = 'registered' WHERE environment_id = $1`,
      [environment],
    );
    await enterAndRun(proof, () =>
      expect(
        query('SELECT environments.set_exposed_hostname($1, $2, NULL)', [globex, environment]),
      ).rejects.toMatchObject(REFUSED),
    );
  });

  it('reads across tenants by none, not even by one of the operations tenant', async () => {
    const proof = await takeUp(ops, 'olga');
    await enterAndRun(proof, async () => {
      expect(await query('SELECT tenancy.across(), identity.entered_operations()')).toEqual([
        { across: false, entered_operations: false },
      ]);
    });
  });

  it('leaves no environment that is being deleted without its job, by a transaction that has entered no tenant', async () => {
    await takeUp(globex, 'mallory');
    const block = `SELECT environments.block_deletion($1, $2, $3, 'no') AS done`;
    expect(await query(block, [globex, environment, lease])).toEqual([{ done: false }]);
    const jobs = 'SELECT lease_id FROM environments.deletions WHERE environment_id = $1';
    expect(await database.query(jobs, [environment])).toEqual([{ lease_id: lease }]);
  });
});
