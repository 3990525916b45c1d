import { applyDirectory, parseDirectory } from '@plat/database';
import { createTestDatabase, type TestDatabase } from '../database/test-database';
import { claimsOf, TEST_TENANTS, TEST_USERS, testDirectory } from './test-directory';

const issuerUrl = 'http://127.0.0.1:4000';

describe('testDirectory', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await applyDirectory(database.ownerUrl, testDirectory(issuerUrl));
  });
  afterAll(() => database.drop());

  it('is a valid directory', () => {
    expect(parseDirectory(JSON.stringify(testDirectory(issuerUrl))).users).toHaveLength(7);
  });

  it.each(['alice', 'carol', 'dave', 'mallory', 'olga'] as const)(
    'resolves the claims of %s to the user',
    async (name) => {
      const { sub, org } = claimsOf(name);
      const rows = await database.query(
        'SELECT tenant_id, user_id, roles FROM identity.resolve($1, $2, $3)',
        [issuerUrl, sub, org],
      );
      const { tenant, userId, roles } = TEST_USERS[name];
      expect(rows).toEqual([{ tenant_id: TEST_TENANTS[tenant].tenantId, user_id: userId, roles }]);
    },
  );
});
