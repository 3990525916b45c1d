import { randomUUID } from 'node:crypto';
import type { PermissionRule } from '@plat/database';
import { startTestService, TEST_TENANTS, TEST_USERS, type TestService } from '@plat/testing';
import { platformService } from '../service';

const ROLES_OF_TENANT = 200;
const RULES_OF_TENANT = 1_000;
const ROLES_OF_USER = 50;
const RULES_OF_USER = 200;

const rules = (count: number): PermissionRule[] =>
  Array.from({ length: count }, () => ({ apiMethodPattern: 'GET', apiPathPattern: '/v1/(a|b)?reviews' }));

/** Every request is checked against its caller's rules, so their number is capped. */
describe('the cost of roles', () => {
  let service: TestService;
  beforeEach(async () => (service = await startTestService(platformService)));
  afterEach(() => service.stop());

  const define = (permissions: PermissionRule[]) =>
    service.send('alice', 'POST /v1/roles', { name: randomUUID(), permissions });
  const grant = (roleId: string, userId: string = TEST_USERS.bob.userId) =>
    service.send('alice', `POST /v1/users/${userId}/roles`, { roleId });

  /** Adds roles to acme, each with `rulesEach` rules. */
  async function seed(roles: number, rulesEach: number): Promise<string[]> {
    const made = await service.database.query<{ role_id: string }>(
      `INSERT INTO identity.roles (tenant_id, role_id, name)
       SELECT $1, gen_random_uuid(), 'seeded ' || n FROM generate_series(1, $2::int) n RETURNING role_id`,
      [TEST_TENANTS.acme.tenantId, roles],
    );
    await service.database.query(
      `INSERT INTO identity.role_permissions (tenant_id, role_id, permission, api_method, api_path)
       SELECT tenant_id, role_id, n, 'GET', '/v1/reviews' FROM identity.roles, generate_series(1, $2::int) n
        WHERE tenant_id = $1 AND name LIKE 'seeded %'`,
      [TEST_TENANTS.acme.tenantId, rulesEach],
    );
    return made.map(({ role_id: id }) => id);
  }
  const present = async (table: 'roles' | 'role_permissions') =>
    (
      await service.database.query(`SELECT FROM identity.${table} WHERE tenant_id = $1`, [
        TEST_TENANTS.acme.tenantId,
      ])
    ).length;

  it('a tenant has 200 roles at most, even if many are created at once', async () => {
    await seed(ROLES_OF_TENANT - 1 - (await present('roles')), 0);
    const answers = await Promise.all([define([]), define([]), define([])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await present('roles')).toBe(ROLES_OF_TENANT);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toEqual({ code: 'CONFLICT', message: 'A tenant has 200 roles at most.' });
  });

  it('the roles of a tenant hold 1,000 rules at most', async () => {
    const left = RULES_OF_TENANT - (await present('role_permissions'));
    await seed(1, left - 100);
    expect((await define(rules(100))).status).toBe(201);
    expect(await define(rules(1))).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await present('role_permissions')).toBe(RULES_OF_TENANT);
  });

  it('a user holds 50 roles at most', async () => {
    const [last, ...roleIds] = await seed(ROLES_OF_USER + 1, 0);
    const user = await service.send('alice', 'POST /v1/users', { username: 'many', roleIds });
    expect(user.status).toBe(201);
    expect(await grant(last!, user.body.userId as string)).toMatchObject({ status: 409 });
    expect(
      await service.send('alice', 'POST /v1/users', { username: 'more', roleIds: [last, ...roleIds] }),
    ).toMatchObject({ status: 409, body: { message: 'A user holds 50 roles at most.' } });
  });

  it('the roles of a user hold 200 rules at most', async () => {
    const roleIds = await seed(3, RULES_OF_USER / 2);
    await service.database.query('DELETE FROM identity.user_roles WHERE user_id = $1', [
      TEST_USERS.bob.userId,
    ]);
    expect((await grant(roleIds[0]!)).status).toBe(201);
    expect((await grant(roleIds[1]!)).status).toBe(201);
    expect(await grant(roleIds[2]!)).toMatchObject({
      status: 409,
      body: { message: 'The roles of a user hold 200 rules at most.' },
    });
  });
});
