import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { PermissionPattern } from '@plat/contracts/core';
import { applyDirectory, Database, LOGIN_ROLES, type TenantScope } from '@plat/database';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
  type TestTenant,
} from '@plat/testing';
import { insertUser, updateUserDisabled } from './user.queries';
import { deleteUserRole, insertUserRole } from './user-role.queries';

describe('identity, as the platform service reaches it', () => {
  let owner: TestDatabase;
  let database: Database;
  const scopes = {} as Record<TestTenant, TenantScope>;
  const scope = (tenant: TestTenant): TenantScope => scopes[tenant];
  const roleNamed = async (tenant: TestTenant, name: string): Promise<string> => {
    const [row] = await owner.query<{ role_id: string }>(
      'SELECT role_id FROM identity.roles WHERE tenant_id = $1 AND name = $2',
      [TEST_TENANTS[tenant].tenantId, name],
    );
    return row!.role_id;
  };

  beforeAll(async () => {
    owner = await createTestDatabase();
    await applyDirectory(owner.ownerUrl, testDirectory('https://issuer.example'));
    scopes.acme = await proveScope(owner, 'alice');
    scopes.globex = await proveScope(owner, 'mallory');
    scopes.ops = await proveScope(owner, 'olga');
    database = await Database.connect({
      url: owner.url(LOGIN_ROLES.platform),
      applicationName: 'spec',
      poolSizeMax: 4,
      preparedStatements: true,
    });
  });
  afterAll(async () => {
    await database.close();
    await owner.drop();
  });

  it("is no table of the service's: only functions reach it", async () => {
    const client = new Client(owner.url(LOGIN_ROLES.platform));
    await client.connect();
    for (const table of ['users', 'subjects', 'roles', 'role_permissions', 'user_roles', 'tenants']) {
      await expect(client.query(`SELECT FROM identity.${table}`)).rejects.toThrow('permission denied');
    }
    await client.end();
  });

  it('leaves the rows of another tenant as they are, whichever id is named', async () => {
    const { userId } = TEST_USERS.mallory;
    const roleId = await roleNamed('globex', 'TenantAdmin');
    const ownRole = await roleNamed('acme', 'TenantAdmin');
    expect(await deleteUserRole(database, scope('acme'), { userId, roleId })).toBe(false);
    await expect(insertUserRole(database, scope('acme'), { userId, roleId: ownRole })).rejects.toThrow();
    await expect(
      insertUserRole(database, scope('acme'), { userId: TEST_USERS.bob.userId, roleId }),
    ).rejects.toThrow();
    const held = await owner.query('SELECT role_id FROM identity.user_roles WHERE user_id = $1', [userId]);
    expect(held).toEqual([{ role_id: roleId }]);
  });

  it('writes nothing for another tenant than the one entered', async () => {
    const client = new Client(owner.url(LOGIN_ROLES.platform));
    await client.connect();
    await client.query('BEGIN');
    const { tenantId, proof } = scope('acme');
    await client.query('SELECT tenancy.enter_as($1, false)', [proof]);
    const { rows } = await client.query<{ tenant_id: string }>(
      'SELECT * FROM identity.create_user($1, $2, $3, NULL, NULL, $4)',
      [TEST_TENANTS.globex.tenantId, randomUUID(), 'intruder', []],
    );
    expect(rows[0]!.tenant_id).toBe(tenantId);
    await client.query('ROLLBACK');
    await client.end();
  });

  it('keeps one user who can grant roles through any number of revocations at once', async () => {
    const roleId = await roleNamed('globex', 'TenantAdmin');
    const userIds: string[] = [TEST_USERS.mallory.userId];
    for (let i = 0; i < 5; i++) {
      const userId = randomUUID();
      userIds.push(userId);
      await insertUser(database, scope('globex'), {
        userId,
        username: userId,
        subject: userId,
        roleIds: [roleId],
      });
    }
    const outcomes = await Promise.allSettled(
      userIds.map((userId) => deleteUserRole(database, scope('globex'), { userId, roleId })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]!.reason).toMatchObject({ code: 'CONFLICT' });
    const left = await owner.query(
      'SELECT user_id FROM identity.user_roles WHERE tenant_id = $1 AND role_id = $2',
      [TEST_TENANTS.globex.tenantId, roleId],
    );
    expect(left).toHaveLength(1);
  });

  it('keeps one enabled user who can grant roles, whoever disables whom and revokes what at once', async () => {
    const roleId = await roleNamed('globex', 'TenantAdmin');
    const grantors = await owner.query<{ user_id: string }>(
      `SELECT user_id FROM identity.user_roles WHERE tenant_id = $1 AND role_id = $2`,
      [TEST_TENANTS.globex.tenantId, roleId],
    );
    const userIds = grantors.map(({ user_id: userId }) => userId);
    for (let i = 0; i < 5; i++) {
      const userId = randomUUID();
      userIds.push(userId);
      await insertUser(database, scope('globex'), {
        userId,
        username: userId,
        subject: userId,
        roleIds: [roleId],
      });
    }
    const outcomes = await Promise.allSettled(
      userIds.map((userId, place) =>
        place % 2 === 0
          ? updateUserDisabled(database, scope('globex'), { userId, disabled: true })
          : deleteUserRole(database, scope('globex'), { userId, roleId }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'CONFLICT' } },
    ]);
    const left = await owner.query(
      `SELECT user_id FROM identity.user_roles JOIN identity.users USING (tenant_id, user_id)
        WHERE tenant_id = $1 AND role_id = $2 AND disabled_at IS NULL`,
      [TEST_TENANTS.globex.tenantId, roleId],
    );
    expect(left).toHaveLength(1);
  });

  it('does not count a user whose issuer serves the tenant no more among those who could grant roles', async () => {
    const ops = TEST_TENANTS.ops.tenantId;
    const [issuer] = await owner.query<{ id: string }>(
      `INSERT INTO identity.issuers (issuer_id, name, url, audience, organization_claim)
       VALUES (gen_random_uuid(), 'former', 'https://former.example', 'plat', 'org') RETURNING issuer_id AS id`,
    );
    await owner.query(`INSERT INTO identity.organizations VALUES ($1, 'org-ops', $2)`, [issuer!.id, ops]);
    const roleId = await roleNamed('ops', 'TenantAdmin');
    const [admin, ghost] = [randomUUID(), randomUUID()];
    for (const [userId, url] of [
      [admin, 'https://issuer.example'],
      [ghost, 'https://former.example'],
    ] as const) {
      await insertUser(database, scope('ops'), {
        userId,
        username: userId,
        issuer: url,
        subject: userId,
        roleIds: [roleId],
      });
    }
    await owner.query(`DELETE FROM identity.user_roles WHERE user_id = $1`, [TEST_USERS.olga.userId]);
    await owner.query('DELETE FROM identity.organizations WHERE issuer_id = $1', [issuer!.id]);
    await expect(deleteUserRole(database, scope('ops'), { userId: admin, roleId })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'No user could grant roles afterwards.',
    });
    expect(await deleteUserRole(database, scope('ops'), { userId: ghost, roleId })).toBe(true);
  });

  it('reads a pattern as the services do', async () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '/',
      '{x}',
      '.',
      '(a|b)',
      '(a)?',
      '(b|)',
      'a|b',
      '.*',
      '-',
      '(|a)',
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '{', 'x', '}', '-'), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pattern, text, async (source, candidate) => {
        const read = PermissionPattern.read(source);
        fc.pre(read !== undefined);
        const [row] = await owner.query<{ permitted: boolean }>(
          `SELECT identity.permits(ROW(NULL, NULL, 1, NULL, NULL, '.*', $1)::identity.role_permissions, 'GET', $2) AS permitted`,
          [source, candidate],
        );
        expect(row!.permitted).toBe(read.matches(candidate));
      }),
      { numRuns: 300 },
    );
  });
});
