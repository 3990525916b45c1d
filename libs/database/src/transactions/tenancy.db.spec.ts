import { randomBytes, randomUUID } from 'node:crypto';
import {
  createTestDatabase,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { LOGIN_ROLES } from '../logins/logins';
import { Database } from './database';

const SCHEMAS = ['identity', 'reviews', 'builds', 'releases', 'audit', 'environments', 'ledger'];
const LOGINS = Object.values(LOGIN_ROLES);
const tenant = TEST_TENANTS.acme.tenantId;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  await database.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
     VALUES ($1, $2, $3, 'one', 'topic', 'main')`,
    [tenant, randomUUID(), TEST_USERS.alice.userId],
  );
});
afterAll(() => database.drop());

describe('every tenant table', () => {
  // These tables determine the tenant of a caller and whether it is served, so they are read before a tenant is entered.
  const RESOLVES_THE_TENANT = ['identity.issuers', 'identity.organizations', 'identity.closed_tenants'];

  it('has row-level security enabled and forced, with a policy that has USING and WITH CHECK', async () => {
    const open = await database.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id'
          AND (NOT c.relrowsecurity OR NOT c.relforcerowsecurity OR NOT c.relispartition AND NOT EXISTS (
            SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polroles = '{0}'
               AND pg_get_expr(p.polqual, c.oid) LIKE '%tenancy.tenant_id()%'
               AND pg_get_expr(p.polwithcheck, c.oid) LIKE '%tenancy.tenant_id()%'))`,
      [SCHEMAS],
    );
    expect(open.map(({ name }) => name).filter((name) => !RESOLVES_THE_TENANT.includes(name))).toEqual([]);
  });

  // A public name is one environment's of all tenants, since the names of two tenants can read the same.
  const OF_ALL_TENANTS = 'exposed_hostname';

  it('begins every unique key with the tenant, except in tables of the directory and for public names', async () => {
    const keys = await database.query<{ name: string; first: string }>(
      `SELECT c.oid::regclass::text AS name, a.attname::text AS first
         FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND i.indisunique
          AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id' AND t.attnotnull)`,
      [SCHEMAS],
    );
    const loose = keys.filter(
      ({ name, first }) =>
        !['tenant_id', OF_ALL_TENANTS].includes(first) &&
        ![...RESOLVES_THE_TENANT, 'identity.tenants'].includes(name),
    );
    expect(loose).toEqual([]);
  });
});

describe.each(LOGINS)('the login %s', (role) => {
  it('owns nothing, is no superuser, and neither bypasses row-level security nor becomes a role that may', async () => {
    const [row] = await database.query(
      `SELECT bool_or(r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb) AS powerful,
              EXISTS (SELECT FROM pg_shdepend d WHERE d.refobjid = $1::regrole AND d.deptype = 'o') AS owner
         FROM pg_roles r WHERE pg_has_role($1::regrole, r.oid, 'MEMBER')`,
      [role],
    );
    expect(row).toEqual({ powerful: false, owner: false });
  });
});

it.each(['BYPASSRLS', 'SUPERUSER'])('a service does not connect with a login that is %s', async (power) => {
  const role = `test_${randomBytes(6).toString('hex')}`;
  await database.query(`CREATE ROLE ${role} LOGIN ${power} PASSWORD 'test'`);
  const options = {
    url: database.url(role),
    applicationName: 'test',
    poolSizeMax: 1,
    preparedStatements: true,
  };
  await expect(Database.connect(options)).rejects.toThrow('could bypass row-level security');
  await database.query(`DROP ROLE ${role}`);
});
