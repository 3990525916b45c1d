import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from './apply-directory';
import { SOURCE_MIGRATIONS } from './migrate';
import { STOCK_ROLES } from './stock-roles';

describe('the migration of TenantAgent', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await applyDirectory(database.ownerUrl, testDirectory('http://issuer.example'));
  });
  afterAll(() => database.drop());

  const readingRules = () =>
    database.query<{ role: string; path: string; tenants: number }>(
      `SELECT r.name AS role, p.api_path_pattern AS path, count(*)::int AS tenants
         FROM identity.role_permissions p JOIN identity.roles r USING (tenant_id, role_id)
        WHERE p.api_method_pattern = 'GET' GROUP BY 1, 2 ORDER BY 1, 2`,
    );

  it('lets agents of tenants that are there check a queue, and widens no other rule', async () => {
    const rules = () =>
      database.query<{ role: string; permission: number; path: string; tenants: number }>(
        `SELECT r.name AS role, p.permission, p.api_path_pattern AS path, count(*)::int AS tenants
           FROM identity.role_permissions p JOIN identity.roles r USING (tenant_id, role_id)
          WHERE p.api_method_pattern = 'POST' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      );
    const stock = await rules();
    expect(stock).toContainEqual(
      expect.objectContaining({ role: 'TenantAgent', path: STOCK_ROLES.TenantAgent![1]!.apiPathPattern }),
    );
    await database.query(
      `UPDATE identity.role_permissions p SET api_path_pattern = '/v1/builds' FROM identity.roles r
        WHERE r.role_id = p.role_id AND r.name = 'TenantAgent' AND p.permission = 2`,
    );
    const file = join(SOURCE_MIGRATIONS.migrationsDir, '0105_agents_check_the_queue.sql');
    await database.query(await readFile(file, 'utf8'));
    expect(await rules()).toEqual(stock);
  });

  it("narrows the rule of every tenant that is there to the stock role's, and no other role's", async () => {
    const stock = await readingRules();
    expect(stock).toContainEqual(
      expect.objectContaining({ role: 'TenantAgent', path: STOCK_ROLES.TenantAgent![0]!.apiPathPattern }),
    );
    await database.query(
      `UPDATE identity.role_permissions p SET api_path_pattern = '/v1/.*' FROM identity.roles r
        WHERE r.role_id = p.role_id AND r.name = 'TenantAgent' AND p.api_method_pattern = 'GET'`,
    );
    const file = join(SOURCE_MIGRATIONS.migrationsDir, '0046_agents_read_the_gate.sql');
    await database.query(await readFile(file, 'utf8'));
    expect(await readingRules()).toEqual(stock);
  });
});
