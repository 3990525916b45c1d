import {
  createTestDatabase,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from './apply-directory';
import type { Directory } from './directory';
import { parseDirectory } from './parse-directory';

const ISSUER = 'https://id.example';
const TABLES = [
  'identity.tenants',
  'identity.issuers',
  'identity.organizations',
  'identity.roles',
  'identity.role_permissions',
  'identity.users',
  'identity.subjects',
  'identity.user_roles',
  'environments.environments',
];

describe('applying a directory', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const apply = (directory: Directory = testDirectory(ISSUER)) =>
    applyDirectory(database.ownerUrl, directory);
  const rowsOf = async (table: string) =>
    (await database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`)).map(
      ({ row }) => row,
    );
  const allRows = async () =>
    Object.fromEntries(await Promise.all(TABLES.map(async (t) => [t, await rowsOf(t)])));
  const resolve = (url: string, subject: string, organization: string | null) =>
    database.query<{ tenant_id: string; user_id: string; roles: string[] }>(
      'SELECT tenant_id, user_id, roles FROM identity.resolve($1, $2, $3)',
      [url, subject, organization],
    );

  it('makes its users known by issuer, organisation and subject', async () => {
    await apply();
    expect(await resolve(ISSUER, 'subject-of-alice', TEST_TENANTS.acme.organization)).toEqual([
      { tenant_id: TEST_TENANTS.acme.tenantId, user_id: TEST_USERS.alice.userId, roles: ['TenantAdmin'] },
    ]);
  });

  it('refuses a tenant whose environments could be taken for those of another, now or by an earlier file', async () => {
    await apply();
    const second = { ...testDirectory(ISSUER), issuers: [], roles: [], users: [], environments: [] };
    await expect(apply({ ...second, tenants: [{ name: 'acme-dev', kind: 'company' }] })).rejects.toThrow(
      'tenant acme-dev begins like the environments of tenant acme',
    );
    await expect(
      apply({ ...second, tenants: [{ name: 'acmedev', kind: 'company' }] }),
    ).resolves.toBeUndefined();
  });

  it('twice leaves the same rows', async () => {
    await apply();
    const once = await allRows();
    await apply();
    expect(await allRows()).toEqual(once);
  });

  it('by three at once leaves the same rows', async () => {
    await apply();
    const once = await allRows();
    await Promise.all([apply(), apply(), apply()]);
    expect(await allRows()).toEqual(once);
  });

  it('keeps an issuer whose URL has changed, and all its subjects', async () => {
    await apply();
    const ids = () => database.query('SELECT issuer_id FROM identity.issuers');
    const before = await ids();
    await apply(testDirectory('https://id.example/moved'));
    expect(await ids()).toEqual(before);
    expect(await resolve(ISSUER, 'subject-of-alice', 'org-acme')).toEqual([]);
    expect(await resolve('https://id.example/moved', 'subject-of-alice', 'org-acme')).toHaveLength(1);
  });

  it('replaces what a role permits', async () => {
    await apply();
    const directory = testDirectory(ISSUER);
    directory.roles[0]!.permissions = [{ apiMethod: 'GET', apiPath: '/v1/whoami' }];
    await apply(directory);
    expect(
      await database.query(
        `SELECT api_path FROM identity.role_permissions JOIN identity.roles USING (tenant_id, role_id)
          WHERE name = 'Advancer'`,
      ),
    ).toEqual([{ api_path: '/v1/whoami' }]);
  });

  it('leaves alone what the file no longer names', async () => {
    await apply();
    const before = await allRows();
    await apply(parseDirectory('tenants: [{ name: acme }]'));
    expect(await allRows()).toEqual(before);
  });

  it('makes ids of its own where the file has none, and keeps them', async () => {
    const text = `tenants: [{ name: solo }]
issuers: [{ name: own, url: "https://own.example", audience: plat, tenant: solo }]
users: [{ tenant: solo, username: sam, issuer: own, subject: s, roles: [TenantAdmin] }]
environments: [{ tenant: solo, name: dev, type: runtime }]`;
    await apply(parseDirectory(text));
    const once = await allRows();
    await apply(parseDirectory(text));
    expect(await allRows()).toEqual(once);
    expect(await resolve('https://own.example', 's', null)).toHaveLength(1);
  });

  it('that names a role which no one has changes nothing at all', async () => {
    const before = await allRows();
    const directory = testDirectory(ISSUER);
    directory.users[0]!.roles = ['TenantAdmn'];
    await expect(apply(directory)).rejects.toThrow(
      'user alice names the role TenantAdmn, which tenant acme does not have: is TenantAdmin meant?',
    );
    expect(await allRows()).toEqual(before);
  });

  it('is refused whole with more rules than a user may hold', async () => {
    const own = await createTestDatabase();
    const permissions = Array.from({ length: 201 }, () => ({ apiMethod: 'GET', apiPath: '/v1/reviews' }));
    const directory = testDirectory('https://id.example');
    directory.roles.push({ tenant: 'acme', name: 'Many', permissions });
    directory.users.find(({ username }) => username === 'bob')!.roles.push('Many');
    await expect(applyDirectory(own.ownerUrl, directory)).rejects.toThrow(
      /cannot be applied:[^]*The roles of a user hold 200 rules at most/,
    );
    expect(await own.query('SELECT FROM identity.tenants')).toEqual([]);
    await own.drop();
  });
});
