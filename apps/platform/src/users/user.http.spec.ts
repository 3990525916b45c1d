import { randomUUID } from 'node:crypto';
import { startTestService, TEST_TENANTS, TEST_USERS, type TestService } from '@plat/testing';
import { platformService } from '../service';

const NOWHERE = '00000000-0000-7000-8000-00000000ffff';

describe('users', () => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService(platformService)));
  afterAll(() => service.stop());

  const enrol = (body: object = {}, user: keyof typeof TEST_USERS = 'alice') =>
    service.send(user, 'POST /v1/users', { username: `user ${randomUUID()}`, ...body });
  const roleNamed = async (name: string, user: keyof typeof TEST_USERS = 'alice'): Promise<string> => {
    const { body } = await service.send(user, 'GET /v1/roles');
    return (body as { roleId: string; name: string }[]).find((role) => role.name === name)!.roleId;
  };
  const makeRole = async (permissions: object[]): Promise<string> => {
    const answer = await service.send('alice', 'POST /v1/roles', { name: randomUUID(), permissions });
    expect(answer.status).toBe(201);
    return (answer.body as { roleId: string }).roleId;
  };
  const tokenOf = (subject: string) =>
    service.issuer.token({ sub: subject, org: TEST_TENANTS.acme.organization });
  const whoami = async (subject: string) => {
    const response = await fetch(`${service.url}/v1/whoami`, {
      headers: { authorization: `Bearer ${await tokenOf(subject)}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  describe('GET /v1/users', () => {
    it("200: a bare array of {userId, tenantId, username} of the caller's tenant", async () => {
      const { status, body } = await service.send('mallory', 'GET /v1/users');
      expect(status).toBe(200);
      expect(body).toEqual([
        { userId: TEST_USERS.mallory.userId, tenantId: TEST_TENANTS.globex.tenantId, username: 'mallory' },
      ]);
    });

    it('200: "A caller of the operations tenant reads across every tenant"', async () => {
      const { body } = await service.send('olga', 'GET /v1/users');
      const names = (body as { username: string }[]).map(({ username }) => username);
      expect(names).toEqual(expect.arrayContaining(['alice', 'mallory', 'olga']));
    });

    it('403: a caller without a role', async () => {
      expect((await service.send('dave', 'GET /v1/users')).status).toBe(403);
    });
  });

  describe('POST /v1/users', () => {
    it("201: {userId, tenantId, username}; the tenant is the caller's whatever the body says", async () => {
      const { status, body } = await enrol({ username: 'erin', tenantId: TEST_TENANTS.globex.tenantId });
      expect(status).toBe(201);
      expect(body).toEqual({
        userId: expect.any(String),
        tenantId: TEST_TENANTS.acme.tenantId,
        username: 'erin',
      });
    });

    it("201: a user with a subject can sign in at once, by default at the tenant's only issuer", async () => {
      expect((await whoami('frank')).body).toMatchObject({ code: 'NOT_ENROLLED' });
      const { body } = await enrol({ subject: 'frank', roleIds: [await roleNamed('ReadAll')] });
      expect(await whoami('frank')).toMatchObject({
        status: 200,
        body: { userId: (body as { userId: string }).userId, roles: ['ReadAll'] },
      });
    });

    it('201: the issuer may be named', async () => {
      expect((await enrol({ issuer: service.issuer.url, subject: 'grace' })).status).toBe(201);
    });

    it.each([
      [{ username: ' ' }, 'username'],
      [{ username: 7 }, 'username'],
      [{ subject: 'x\0' }, 'subject'],
      [{ roleIds: 'TenantUser' }, 'roleIds'],
      [{ roleIds: ['TenantUser'] }, 'roleIds'],
      [{ issuer: 'https://elsewhere.example', subject: 'x' }, 'issuer'],
      [{ issuer: 'https://elsewhere.example' }, 'subject'],
    ])('400: %j is INVALID_BODY with the field %s', async (body, field) => {
      const answer = await enrol(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY', details: { field } } });
    });

    it('400: the issuer must be named if two issuers serve the tenant', async () => {
      await service.database.query(
        `INSERT INTO identity.issuers (issuer_id, name, url, audience, tenant_id)
         VALUES ($1, 'solo', 'https://solo.example', 'plat', $2)`,
        [randomUUID(), TEST_TENANTS.globex.tenantId],
      );
      const answer = await enrol({ subject: 'henry' }, 'mallory');
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'issuer' } },
      });
      expect((await enrol({ subject: 'henry', issuer: 'https://solo.example' }, 'mallory')).status).toBe(201);
    });

    it('403: a caller who may not grant roles cannot enrol a user with roles', async () => {
      const enrols = await makeRole([{ apiMethod: 'POST', apiPath: '/v1/users' }]);
      await service.send('alice', `POST /v1/users/${TEST_USERS.dave.userId}/roles`, { roleId: enrols });
      expect((await enrol({}, 'dave')).status).toBe(201);
      const answer = await enrol({ roleIds: [await roleNamed('TenantAdmin')] }, 'dave');
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      await service.send('alice', `DELETE /v1/users/${TEST_USERS.dave.userId}/roles/${enrols}`);
    });

    it('404: a role of another tenant is answered as one that exists nowhere, and no one is enrolled', async () => {
      const username = `user ${randomUUID()}`;
      const foreign = await enrol({ username, roleIds: [await roleNamed('ReadAll', 'mallory')] });
      expect(foreign.status).toBe(404);
      expect(await enrol({ username, roleIds: [NOWHERE] })).toMatchObject({
        status: 404,
        body: foreign.body,
      });
      expect((await enrol({ username })).status).toBe(201);
    });

    it('409: a name or a subject that is taken in the tenant; another tenant may use the name', async () => {
      await enrol({ username: 'ivy', subject: 'ivy' });
      expect(await enrol({ username: 'ivy' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(await enrol({ subject: 'ivy' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect((await enrol({ username: 'ivy' }, 'mallory')).status).toBe(201);
    });
  });

  describe('PATCH /v1/users/{user_id}/status', () => {
    const set = (userId: string, status: unknown, user: keyof typeof TEST_USERS = 'alice') =>
      service.send(user, `PATCH /v1/users/${userId}/status`, { status });
    const enrolUser = async (subject: string, roles: string[] = []): Promise<string> => {
      const roleIds = await Promise.all(roles.map((name) => roleNamed(name)));
      return ((await enrol({ username: subject, subject, roleIds })).body as { userId: string }).userId;
    };

    it('200: a disabled user has disabledAt and is refused at the next request, and an active one is served', async () => {
      const userId = await enrolUser('nina', ['ReadAll']);
      expect((await whoami('nina')).status).toBe(200);
      const disabled = await set(userId, 'DISABLED');
      expect(disabled).toMatchObject({ status: 200, body: { userId, disabledAt: expect.any(String) } });
      expect(await whoami('nina')).toMatchObject({ status: 403, body: { code: 'USER_DISABLED' } });
      expect((await service.send('alice', 'GET /v1/users')).body).toContainEqual(disabled.body);
      expect((await set(userId, 'DISABLED')).body).toEqual(disabled.body);
      expect((await set(userId, 'ACTIVE')).body).toEqual({
        userId,
        tenantId: TEST_TENANTS.acme.tenantId,
        username: 'nina',
      });
      expect((await whoami('nina')).status).toBe(200);
    });

    it('200: the change is in the trail', async () => {
      const userId = await enrolUser('oscar');
      await set(userId, 'DISABLED');
      const [row] = await service.database.query(
        `SELECT erun_user_id, api_method, api_path FROM audit.audit_events ORDER BY created_at DESC LIMIT 1`,
      );
      expect(row).toEqual({
        erun_user_id: TEST_USERS.alice.userId,
        api_method: 'PATCH',
        api_path: '/v1/users/{user_id}/status',
      });
    });

    it.each([undefined, 'OFF', null, 1])(
      '400: the status %j is INVALID_BODY with the field',
      async (status) => {
        expect(await set(NOWHERE, status)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'status' } },
        });
      },
    );

    it('403: TenantUser', async () => {
      expect((await set(TEST_USERS.dave.userId, 'DISABLED', 'bob')).status).toBe(403);
    });

    it('404: a user of another tenant is answered as one who exists nowhere, to an operations caller too', async () => {
      const nowhere = await set(NOWHERE, 'DISABLED');
      expect(nowhere).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: 'No such user.' } });
      for (const user of ['mallory', 'olga'] as const) {
        expect((await set(TEST_USERS.bob.userId, 'DISABLED', user)).body).toEqual(nowhere.body);
      }
      expect((await service.send('bob', 'GET /v1/whoami')).status).toBe(200);
    });

    it('409: the last user who can sign in and grant roles stays enabled', async () => {
      const refused = await set(TEST_USERS.mallory.userId, 'DISABLED', 'mallory');
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', message: 'No user could grant roles afterwards.' },
      });
      expect((await service.send('mallory', 'GET /v1/whoami')).status).toBe(200);
    });
  });

  describe('PUT /v1/users/{user_id}/subject', () => {
    const set = (userId: string, body: object, user: keyof typeof TEST_USERS = 'alice') =>
      service.send(user, `PUT /v1/users/${userId}/subject`, body);
    const enrolUser = async (body: object = {}) => ((await enrol(body)).body as { userId: string }).userId;

    it('200: a user who was enrolled without a subject signs in by it from the next request on', async () => {
      const [userId, subject] = [await enrolUser(), randomUUID()];
      expect((await whoami(subject)).status).toBe(403);
      expect(await set(userId, { subject })).toMatchObject({ status: 200, body: { userId } });
      expect(await whoami(subject)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    });

    it('200: it replaces the earlier one of the issuer, which is refused, and is in the trail', async () => {
      const [before, subject] = [randomUUID(), randomUUID()];
      const userId = await enrolUser({ subject: before, roleIds: [await roleNamed('ReadAll')] });
      expect((await whoami(before)).body).toMatchObject({ userId });
      expect((await set(userId, { subject })).status).toBe(200);
      expect((await whoami(before)).body).toMatchObject({ code: 'NOT_ENROLLED' });
      expect((await whoami(subject)).body).toMatchObject({ userId });
      expect((await set(userId, { subject })).status).toBe(200);
      const rows = await service.database.query(
        `SELECT api_method FROM audit.audit_events WHERE api_path = '/v1/users/{user_id}/subject'`,
      );
      expect(rows).toContainEqual({ api_method: 'PUT' });
    });

    it.each([
      ['no subject', {}, 'subject'],
      ['a blank one', { subject: ' ' }, 'subject'],
      ['an issuer that does not serve the tenant', { subject: 'x', issuer: 'https://elsewhere' }, 'issuer'],
    ])('400: %s', async (_, body, field) => {
      expect(await set(await enrolUser(), body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });

    it('403: TenantUser; and a user with roles, if the caller may not grant roles', async () => {
      expect((await set(TEST_USERS.dave.userId, { subject: 'x' }, 'bob')).status).toBe(403);
      const roleId = await makeRole([{ apiMethod: 'PUT', apiPath: '/v1/users/{user_id}/subject' }]);
      await service.send('alice', `POST /v1/users/${TEST_USERS.bob.userId}/roles`, { roleId });
      const subject = randomUUID();
      const taken = await set(TEST_USERS.alice.userId, { subject }, 'bob');
      expect(taken).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect((await whoami(subject)).body).toMatchObject({ code: 'NOT_ENROLLED' });
      expect((await set(await enrolUser(), { subject }, 'bob')).status).toBe(200);
      await service.send('alice', `DELETE /v1/users/${TEST_USERS.bob.userId}/roles/${roleId}`);
    });

    it('404: a user of another tenant is answered as one who exists nowhere', async () => {
      const nowhere = await set(NOWHERE, { subject: 'x' });
      expect(nowhere).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: 'No such user.' } });
      expect((await set(TEST_USERS.mallory.userId, { subject: 'x' })).body).toEqual(nowhere.body);
    });

    it('409: a subject by which another user signs in, and nothing changes', async () => {
      const [taken, before] = [randomUUID(), randomUUID()];
      await enrolUser({ subject: taken });
      const userId = await enrolUser({ subject: before, roleIds: [await roleNamed('ReadAll')] });
      expect(await set(userId, { subject: taken })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
      expect((await whoami(before)).body).toMatchObject({ userId });
    });

    it("409: the caller's own", async () => {
      const answer = await set(TEST_USERS.alice.userId, { subject: randomUUID() });
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect((await service.send('alice', 'GET /v1/whoami')).status).toBe(200);
    });
  });

  describe('GET /v1/users/{user_id}/roles', () => {
    it('200: a bare array of {roleId, name}', async () => {
      const { status, body } = await service.send('alice', `GET /v1/users/${TEST_USERS.bob.userId}/roles`);
      expect(status).toBe(200);
      expect(body).toEqual([{ roleId: await roleNamed('TenantUser'), name: 'TenantUser' }]);
    });

    it('400: an id that is no UUID', async () => {
      const answer = await service.send('alice', 'GET /v1/users/bob/roles');
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PATH_ID' } });
    });

    it('404: a user of another tenant is answered as one that exists nowhere', async () => {
      const foreign = await service.send('alice', `GET /v1/users/${TEST_USERS.mallory.userId}/roles`);
      const unknown = await service.send('alice', `GET /v1/users/${NOWHERE}/roles`);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(unknown.body);
    });
  });

  describe('POST /v1/users/{user_id}/roles', () => {
    const grant = (userId: string, roleId: unknown) =>
      service.send('alice', `POST /v1/users/${userId}/roles`, { roleId });

    it('201: the role, which counts from the next request on', async () => {
      const roleId = await roleNamed('ReadAll');
      expect((await service.send('dave', 'GET /v1/users')).status).toBe(403);
      expect(await grant(TEST_USERS.dave.userId, roleId)).toMatchObject({
        status: 201,
        body: { roleId, name: 'ReadAll' },
      });
      expect((await service.send('dave', 'GET /v1/users')).status).toBe(200);
      await service.send('alice', `DELETE /v1/users/${TEST_USERS.dave.userId}/roles/${roleId}`);
      expect((await service.send('dave', 'GET /v1/users')).status).toBe(403);
    });

    it('400: roleId is required', async () => {
      const answer = await grant(TEST_USERS.dave.userId, undefined);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'roleId' } },
      });
    });

    it('403: TenantUser may not grant roles', async () => {
      const roleId = await roleNamed('TenantAdmin');
      const answer = await service.send('bob', `POST /v1/users/${TEST_USERS.bob.userId}/roles`, { roleId });
      expect(answer.status).toBe(403);
    });

    it('404: a user or role of another tenant, also for a caller of the operations tenant', async () => {
      const mine = await roleNamed('ReadAll');
      expect((await grant(TEST_USERS.mallory.userId, mine)).status).toBe(404);
      expect((await grant(TEST_USERS.bob.userId, await roleNamed('ReadAll', 'mallory'))).status).toBe(404);
      const written = await service.send('olga', `POST /v1/users/${TEST_USERS.bob.userId}/roles`, {
        roleId: mine,
      });
      expect(written.status).toBe(404);
    });

    it('409: a role that is held already', async () => {
      const answer = await grant(TEST_USERS.bob.userId, await roleNamed('TenantUser'));
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    });
  });

  describe('DELETE /v1/users/{user_id}/roles/{role_id}', () => {
    const revoke = (userId: string, roleId: string) =>
      service.send('alice', `DELETE /v1/users/${userId}/roles/${roleId}`);

    it('204: the role is taken back, without a body', async () => {
      const { body } = await enrol({ roleIds: [await roleNamed('ReadAll')] });
      const { userId } = body as { userId: string };
      const answer = await revoke(userId, await roleNamed('ReadAll'));
      expect(answer).toMatchObject({ status: 204, body: undefined });
      expect((await service.send('alice', `GET /v1/users/${userId}/roles`)).body).toEqual([]);
    });

    it('404: a role that the user does not hold', async () => {
      expect((await revoke(TEST_USERS.bob.userId, await roleNamed('ReadAll'))).status).toBe(404);
    });

    it("404: another tenant's user, whose roles stay as they are", async () => {
      const answer = await revoke(TEST_USERS.mallory.userId, await roleNamed('TenantAdmin', 'mallory'));
      expect(answer.status).toBe(404);
      expect((await service.send('mallory', 'GET /v1/whoami')).body).toMatchObject({
        roles: ['TenantAdmin'],
      });
    });

    it('409: nothing changes if afterwards no one who can sign in could grant roles', async () => {
      const admin = await roleNamed('TenantAdmin');
      // Holds the role and cannot sign in, so does not count.
      await enrol({ roleIds: [admin] });
      const answer = await revoke(TEST_USERS.alice.userId, admin);
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect((await service.send('alice', 'GET /v1/whoami')).body).toMatchObject({ roles: ['TenantAdmin'] });
    });
  });
});
